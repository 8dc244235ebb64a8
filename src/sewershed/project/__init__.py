"""The Django project: settings, addresses, the server's door."""
