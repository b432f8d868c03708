"""Compares two graphs by what they mean: comments, layout and order make no difference."""
