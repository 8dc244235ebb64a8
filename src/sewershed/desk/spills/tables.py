"""The register of spills."""
