"""`python -m static_cases FOLDER…`."""

from __future__ import annotations

import sys

from casefolders import main
from static_cases.case import CASE_FILE
from static_cases.runner import judge

sys.exit(main(sys.argv[1:], CASE_FILE, judge))
