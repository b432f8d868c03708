"""Diagnostics as text: for people, for other programs, for code review. Nothing here decides anything."""
