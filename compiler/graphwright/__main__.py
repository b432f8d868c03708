"""`python -m graphwright`."""

import sys

from graphwright.cli import main

sys.exit(main())
