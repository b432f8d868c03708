"""Other dialects of state graphs: how to recognize them, what this language writes instead, how to translate them."""
