"""The engine: what a rulebook says, and what follows from it for the record of a town."""
