"""The rulebook as it runs: every entry with its clause, its meaning, its sentences, its doubts, what it holds open, its cases."""
