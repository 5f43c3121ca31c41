"""The bounds of every input."""

from tests.requirements.rule import R

RULES = [
    R("limits:texts", "decisions.md 9.13", "Every text that a caller may send has a greatest length."),
    R("limits:lists", "decisions.md 9.13", "Every list that a caller may send has a greatest number of entries."),
    R("limits:told", "decisions.md 6", "docs/explanation/limits.md tells each bound as the code has it."),
]
