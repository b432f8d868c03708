"""Mistakes that people made with similar tools in the field, and how this one handles them."""
