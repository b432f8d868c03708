"""Signatures: the signing formats, trusted keys, and the verification of files before they are used."""
