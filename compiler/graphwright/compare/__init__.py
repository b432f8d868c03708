"""Compares two graphs by meaning, ignoring comments, layout and order."""
