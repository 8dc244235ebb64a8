"""Lists that a town keeps in spreadsheets, brought in: matched, looked at line by line, approved, undone."""
