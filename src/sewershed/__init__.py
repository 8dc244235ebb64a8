"""Sewershed runs a town's sewer programs from the town's own ordinance."""

__version__ = "0.1.0"
