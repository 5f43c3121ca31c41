"""What holds when a process, a database, a cache or a disk fails."""

from tests.requirements.rule import R

RULES = [
    R(
        "fault:page",
        "decisions.md 9",
        "A reader's page that the database ends is 503 with Retry-After, kept by no cache, made without the database.",
    ),
]
