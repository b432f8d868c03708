"""Runs the Python modules that graphwright compiles.

Emitted modules import from `graphwright_runtime.abi` alone. Programs that run them need nothing from here beyond the
module's own `run`; what is offered for hosts, tools and listeners is in `graphwright_runtime.host`, `.context`,
`.events` and `.progress`.
"""
