"""A package that leaves where it should load."""

import sys

sys.exit("closed")
