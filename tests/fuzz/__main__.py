"""`python -m fuzz --minutes N [--from NUMBER]`: look for texts that crash or hang something."""

from __future__ import annotations

import argparse
import sys
import time

from fuzz.campaign import failures


def main() -> int:
    """Print each failure; the exit code is 1 when there was one."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--from", dest="start", type=int, default=int(time.time()) * 1000, help="the first number")
    parser.add_argument("--count", type=int, default=None, help="texts to try at most")
    options = parser.parse_args()
    sys.stdout.write(f"from number {options.start}\n")
    found = 0
    for each in failures(options.start, seconds=options.minutes * 60, most=options.count):
        found += 1
        sys.stdout.write(f"--- {each.number}, {each.door}: {type(each.error).__name__}: {each.error}\n")
        sys.stdout.flush()
    sys.stdout.write(f"{found} found\n")
    return 1 if found else 0


sys.exit(main())
