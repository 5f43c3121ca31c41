"""What the surface report looks at and answers."""

from tests.requirements.rule import R

RULES: list[R] = []
