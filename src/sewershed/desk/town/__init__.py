"""The town itself: its facts, people, offices, accounts and law, its log, its backups, what is wrong with it, its spill plan."""
