"""The table of calendar addresses."""
