"""What holds under many processes."""

from tests.requirements.rule import R

RULES: list[R] = [
    R(
        "load:whole",
        "decisions.md 4",
        "Several processes write and release at once: what a client was told is stored, and the history is whole.",
    ),
    R("load:schedule", "records.md 21", "Several schedulers at once release each due post exactly once."),
    R("load:views", "records.md 17", "No view is lost, whichever process shows the article."),
    R("load:files", "decisions.md 9.8", "No image is without its file, and no original without its image."),
    R("load:limits", "decisions.md 4", "Limits are exact over all processes that share a cache."),
    R(
        "load:no-rendering-under-locks",
        "decisions.md 4",
        "A write parses, renders and sanitises before its transaction, so that nobody waits for that at a lock.",
    ),
    R("load:metadata", "design.md 3", "A write of metadata works nothing of the body out again."),
    R(
        "load:roles",
        "decisions.md 8.6",
        "The application works as a role that neither owns the tables nor can empty them.",
    ),
]
