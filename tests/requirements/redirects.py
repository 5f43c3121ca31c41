"""Redirects that an editor records."""

from tests.requirements.rule import R

RULES = [
    R(
        "redirect:object",
        "service.md 2",
        "id, old_path, new_path, source, occurred_on, post_id; source is manual of those made through the API.",
    ),
    R(
        "redirect:queries-in-paths",
        "decisions.md 10.15",
        "A query may be part of an old path: it is served at 404, the index and the host's home page.",
    ),
    R("redirect:many", "decisions.md 10.15", "POST /redirects takes redirects, a list: all are recorded, or none."),
    R("redirect:filter", "decisions.md 10.15", "GET /redirects takes old_path, in any spelling."),
    R(
        "redirect:list-pages",
        "decisions.md 10.2",
        "A new slug of a category, tag, author or series redirects its page and feeds, whatever led there follows.",
    ),
    R("redirect:scopes", "service.md 4.1", "Listing redirects needs read, adding and removing them publish."),
    R("redirect:statuses", "records.md 5.1", "201 for a new one; 204 when it is removed, 404 when it is not there."),
    R(
        "redirect:fields",
        "service.md 4.1",
        "old_path is required; new_path null or omitted is a removal; post_id and occurred_on are optional.",
    ),
    R(
        "redirect:old-path",
        "records.md 10",
        "old_path is rooted, without white space or #; else validation_failed [old_path].",
    ),
    R(
        "redirect:once",
        "records.md 10",
        "A path has one redirect, in whatever spelling; an equal one is the same, another V[old_path].",
    ),
    R(
        "redirect:new-path",
        "decisions.md 3.6",
        "A faulty target, or one that leads back, is validation_failed [new_path].",
    ),
    R(
        "redirect:chains",
        "records.md 10",
        "A target is followed to its end; rows that led to old_path lead there now and keep their dates.",
    ),
    R(
        "redirect:own-site",
        "records.md 5.3",
        "A slug is the address of a post, a URL of this site a path; other sites are allowed.",
    ),
    R("redirect:post", "records.md 10", "post_id is an integer or null; a post that does not exist is 404."),
    R(
        "redirect:day",
        "service.md 4.1",
        "occurred_on is a real date and defaults to today in TIME_ZONE; null is refused.",
    ),
    R(
        "redirect:reserved",
        "records.md 10",
        "The address of a stored post, in any state and spelling, is slug_reserved.",
    ),
    R(
        "redirect:kept",
        "records.md 5.1",
        "A redirect of a post is a retained record: the post is archived, not deleted.",
    ),
    R("redirect:freed", "service.md 4.1", "Removing the record frees its address."),
    R(
        "redirect:findings",
        "decisions.md 10.2",
        "Recording one answers findings: redirect_not_served for a path outside the mount without the middleware.",
    ),
    R("redirect:unedited", "reader.md 12", "Redirects are added and removed, not edited."),
    R("redirect:followed", "service.md 4.3", "Readers are led by what was recorded: 301, or 410 for a removal."),
    R(
        "redirect:outside",
        "decisions.md 9.15",
        "Paths outside the mount are stored; RedirectMiddleware serves them on the host's 404.",
    ),
    R(
        "redirect:racing",
        "records.md 21",
        "Redirects change one after the other: no ring, no second row for a path, no row for an address just taken.",
    ),
]
