"""What the pages of calls and spills show, from the ledger's queries, in words."""
