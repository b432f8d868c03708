"""Signatures: what is signed and how, whom to trust, and files that are verified before they are used."""
