"""Output formats for diagnostics: for people, other programs and code review."""
