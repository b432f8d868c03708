"""The `${…}` language: lexer, parser and syntax tree."""
