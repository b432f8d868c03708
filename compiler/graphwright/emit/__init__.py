"""Emits Python modules from the IR and the facts about it."""
