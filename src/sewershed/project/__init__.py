"""Django's settings, made from a town's folder, and the ways to make, open and restore a town."""
