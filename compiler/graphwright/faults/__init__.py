"""Records of the faults that can be found in a file: one for each code, by family.

A module is imported by the code that detects its faults and by the rules that phrase them. The fields are also the
`data` of the diagnostic (`docs/checking.md`), so their names are stable.
"""
