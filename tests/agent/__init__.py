"""Threads: what a run hands to an agent."""
