"""Modules that graphwright generated."""
