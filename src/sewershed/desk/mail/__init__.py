"""Mail: the morning digest of what is overdue and due."""
