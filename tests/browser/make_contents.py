"""Create the contents of a module in the configured database and print their paths as JSON."""

import json
import sys
from importlib import import_module

import django

if __name__ == "__main__":
    django.setup()
    json.dump(import_module(sys.argv[1]).make(), sys.stdout)
