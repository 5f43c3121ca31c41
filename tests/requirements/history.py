"""The history that cannot be written again."""

from tests.requirements.rule import R

RULES = [
    R(
        "history:append-only",
        "service.md 1",
        "Changes to a public post are kept as an append-only history made of revisions, approvals, publications, "
        "a baseline and connection declarations.",
    ),
    R("history:refuses-writes", "decisions.md 4", "Model, queryset, PROTECT and triggers refuse update and delete."),
    R(
        "history:replace",
        "decisions.md 8.6",
        "No form of INSERT or UPDATE replaces a row, by no unique key of the table.",
    ),
    R("history:migrations", "decisions.md 4", "Triggers survive every later migration."),
    R("history:permit", "decisions.md 4", "Only a permit inside its own transaction opens one post's history."),
    R(
        "history:forging",
        "design.md 1.4",
        "No statement of the application's role deletes an approval, a declaration or a revision of a reviewed post: "
        "a baseline comes first, and a permit ends with the first review or publication here.",
    ),
    R(
        "history:search-path",
        "design.md 1.4",
        "The triggers of PostgreSQL are fooled by no schema, search path or temporary table, and work in any schema.",
    ),
    R("history:identifier", "records.md 6", "The identifier is the SHA-256 of the normalised payload."),
    R("history:reuse", "records.md 5.2", "Returning to earlier text reuses its revision."),
    R("history:services-only", "decisions.md 9.7", "Only the services change posts; the admin is read-only."),
    R("history:one-first", "records.md 21", "Two first publications at once record one first."),
    R("history:both-edits", "records.md 21", "Two edits of one public post at once are both kept."),
    R("history:racing-approval", "records.md 21", "An approval never lands on the text of a racing edit."),
    R("history:racing-creates", "records.md 21", "Two creates with one external id make one post."),
    R("history:racing-release", "records.md 21", "A scheduled release and its cancellation exclude each other."),
]
