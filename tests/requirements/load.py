"""What holds under many processes."""

from tests.requirements.rule import R

RULES: list[R] = []
