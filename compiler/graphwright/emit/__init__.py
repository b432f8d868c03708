"""From the resolved graph and what is known of it to the text of a Python module."""
