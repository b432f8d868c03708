"""Determines the params and results of tools and nested graphs."""
