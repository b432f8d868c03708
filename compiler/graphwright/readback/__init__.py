"""Reads generated modules back: what a module says about its graph, from its text alone. Nothing is imported or run."""
