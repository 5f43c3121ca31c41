"""What holds when a process, a database, a cache or a disk fails."""

from tests.requirements.rule import R

RULES = [
    R(
        "fault:page",
        "decisions.md 9",
        "A reader's page that the database ends is 503 with Retry-After, kept by no cache, made without the database.",
    ),
    R(
        "fault:killed",
        "decisions.md 9.8",
        "A process that is killed at any moment leaves no half write, no row without its file, and all it answered.",
    ),
    R(
        "fault:redis",
        "decisions.md 9.12",
        "While Redis is gone or silent, everybody reads, writes are unavailable, and all goes on once it is back.",
    ),
    R(
        "fault:restart",
        "decisions.md 9",
        "While the database restarts, API, tools and pages are 503 with Retry-After, and go on without a restart.",
    ),
    R(
        "fault:disk",
        "decisions.md 9.8",
        "Where a disk is full or read-only, writes are unavailable and leave nothing half, and what is there is read.",
    ),
    R(
        "fault:locked",
        "decisions.md 4",
        "While another writer holds a SQLite, pages and reading calls go on at once; writes wait and are busy.",
    ),
    R(
        "fault:clock",
        "records.md 5.2",
        "When the clock is set back, history stays in the order of writing, and the last writing counts.",
    ),
]
