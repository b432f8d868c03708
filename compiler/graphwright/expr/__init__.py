"""The `${…}` language: text to expressions that know their place in the text."""
