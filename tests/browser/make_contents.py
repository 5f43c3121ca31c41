"""Create the database, the static files and the contents of a module, and print the paths of its pages as JSON.

Arguments: the module, and patterns of static files to leave out.
"""

import json
import sys
from importlib import import_module

import django
from django.core.management import call_command

if __name__ == "__main__":
    contents, *ignored = sys.argv[1:]
    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=ignored)
    json.dump(import_module(contents).make(), sys.stdout)
