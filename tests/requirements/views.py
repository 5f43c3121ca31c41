"""How often posts were read."""

from tests.requirements.rule import R

RULES = [
    R(
        "views:post",
        "records.md 17",
        "GET /posts/:id/views: post_id, from, to, total, days (day, views); only days with rows, ascending.",
    ),
    R(
        "views:span",
        "records.md 17",
        "to defaults to today in UTC, from to 29 days before; both are included, null is the default.",
    ),
    R(
        "views:days",
        "records.md 17",
        "A day in another form is refused by its name; from after to is validation_failed [from].",
    ),
    R(
        "views:top",
        "records.md 17",
        "GET /views/top: days, posts (id, slug, title, url, views) of all states, by views, then the lowest id.",
    ),
    R(
        "views:numbers",
        "records.md 17",
        "days 1-36500 (30) and limit 1-100 (5), as integers or digits; null is refused.",
    ),
    R("views:scope", "service.md 4.1", "Page-view reports need read."),
    R("views:missing", "service.md 7", "There is no report of a post that does not exist."),
    R("views:deleted", "records.md 17", "Deleting a draft deletes its rows."),
    R("views:queries", "design.md 3", "Reports take a fixed number of queries."),
]
