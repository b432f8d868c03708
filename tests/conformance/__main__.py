"""`python -m conformance FOLDER…`."""

from __future__ import annotations

import sys

from casefolders import main
from conformance.case import CASE_FILE
from conformance.runner import judge

sys.exit(main(sys.argv[1:], CASE_FILE, judge))
