"""What an upgrade keeps."""

from tests.requirements.rule import R

RULES: list[R] = []
