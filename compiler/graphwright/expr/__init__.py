"""The `${…}` language: from text to expressions with their offsets."""
