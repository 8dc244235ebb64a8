"""The record of a town: things, the append-only log, what follows from it, documents, people and roles."""
