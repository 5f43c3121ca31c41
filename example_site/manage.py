#!/usr/bin/env python3
"""Django's commands for the example site, from any folder."""

import os
import sys
from pathlib import Path

from django.core.management import execute_from_command_line

if __name__ == "__main__":
    # Python puts this file's folder first: a module here must not hide a package of the same name.
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "example_site.settings")
    execute_from_command_line(sys.argv)
