"""A host that does everything differently, for ``tests/test_hostile_host.py``."""
