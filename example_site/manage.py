#!/usr/bin/env python3
"""Run management commands of the example site, from any folder."""

import os
import sys
from pathlib import Path

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    # Python puts the folder of this file first, where a module could hide a package of the same name.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "example_site.settings")
    execute_from_command_line(sys.argv)
