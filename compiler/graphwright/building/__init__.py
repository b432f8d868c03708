"""Builds modules from graphs, and finds leftovers of earlier builds."""
