"""Tags of the desk, at hand in every template."""
