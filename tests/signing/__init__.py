"""Signatures: the primitive, trust, verified imports, provenance, and the commands around them."""
