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
    R(
        "views:counted",
        "reader.md 18",
        "An article as HTML is counted after GET with 200 or 304; not HEAD, Markdown, feeds, previews, lists, 301, 404 "
        "and 410.",
    ),
    R(
        "views:people",
        "reader.md 18",
        "Not counted: page_views off, no User-Agent, one of page_view_bot_pattern, Sec-Purpose with prefetch.",
    ),
    R("views:utc", "decisions.md 9.17", "Views are counted by the day of UTC, whatever TIME_ZONE is."),
    R("views:private", "records.md 22", "Post, day and number are all that is stored."),
    R("views:atomic", "records.md 21", "The counter loses no increment and waits for no editor."),
    R("views:harmless", "records.md 17", "Errors of the counter are logged and never change the page."),
    R("views:afterwards", "design.md 3", "A view is counted once the reader has the page: nobody waits for it."),
    R(
        "views:pruned",
        "records.md 20",
        "prune_page_views removes totals older than page_view_retention_days, says how many, and without it none.",
    ),
    R("views:queries", "design.md 3", "Reports take a fixed number of queries."),
]
