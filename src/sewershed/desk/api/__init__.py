"""The API: the same reads as the pages, recording and documents, for programs that hold a token."""
