"""The record of a town and what follows from it (DESIGN.md 4): the log, things, batches, obligations, people, papers.

`actions` holds the only ways in, `queries` the only way out. Everything else here serves those two.
"""
