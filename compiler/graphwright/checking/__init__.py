"""Checks files: finds, reads and inspects them, applies the project's policy, and caches and fixes findings."""
