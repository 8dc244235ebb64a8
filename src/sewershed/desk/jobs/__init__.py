"""Jobs: long work that goes on without anybody waiting for it, the worker that does it, and the page that shows it."""
