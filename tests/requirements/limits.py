"""The bounds of every input."""

from tests.requirements.rule import R

RULES: list[R] = []
