"""What follows from the record, worked out by the engine and stored beside it (DESIGN.md 4.2)."""
