"""The tables of jobs and of kept lists."""
