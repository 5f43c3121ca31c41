"""A host with unusual settings, for ``tests/test_hostile_host.py``."""
