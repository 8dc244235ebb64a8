"""Calls and spills: from the call at the counter to the filed report."""
