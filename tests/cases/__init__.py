"""Faults that people met in the field with tools like this one, and what comes out here."""
