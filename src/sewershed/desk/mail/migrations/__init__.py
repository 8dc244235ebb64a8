"""The tables of mail."""
