"""The table of tokens."""
