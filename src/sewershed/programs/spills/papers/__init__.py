"""The papers of the spills program: what each must contain, from the record, and a template that lays it out."""
