"""Reads the outline of a graph from the text of its generated module, without importing or running it."""
