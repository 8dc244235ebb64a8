"""The record of a town and what follows from it (docs/explanation/the-record.md): the log, things, batches, obligations, people, papers.

`actions` holds the only ways in, `queries` the only way out. Everything else here serves those two.
"""
