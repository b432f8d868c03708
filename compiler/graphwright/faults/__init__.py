"""What can be wrong with a file, as records: one for each code, by family.

A module is imported by the code that finds its faults and by the rules that phrase them. The fields are also the `data`
of the diagnostic (`docs/checking.md`), so their names are stable.
"""
