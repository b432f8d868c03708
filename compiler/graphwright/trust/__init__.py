"""Keys, signatures and provenance, on top of the verification in the runtime."""
