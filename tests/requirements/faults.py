"""What holds when a process, a database, a cache or a disk fails."""

from tests.requirements.rule import R

RULES: list[R] = []
