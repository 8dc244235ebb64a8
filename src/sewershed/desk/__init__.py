"""The staff's web application will stand here."""
