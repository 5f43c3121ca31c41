"""Listing, writing and reviewing posts."""

from tests.requirements.rule import R

RULES = [
    R("list:drafts", "service.md 4.1", "GET /posts lists posts, including drafts."),
    R("list:filters", "service.md 4.1", "Parameters: status, category, tag, author, series, q, page, per_page."),
    R("list:page-size", "service.md 8", "per_page defaults to 25 and is at most 100."),
    R("list:answer", "service.md 4.1", "The response is {posts: [post cards], page, per_page, total}."),
    R("list:order", "decisions.md 3.26", "The list is ordered by created_at, then id, descending."),
    R("list:search", "service.md 4.3", "Ranked full-text search on one database, every word on the other."),
    R("list:case", "decisions.md 4", "Search text and tag keys are case-folded: ÉTÉ finds été on both databases."),
    R("post:read", "service.md 4.1", "GET /posts/:id reads one post, including drafts."),
    R("post:upsert", "service.md 4.1", "POST /posts creates, or upserts by external_id or slug."),
    R("post:upsert-publishes", "service.md 4.1", "With publish: true an upsert releases the stored post."),
    R("post:omitted-fields", "service.md 4.1", "PATCH keeps omitted fields."),
    R("post:replaced-lists", "service.md 4.1", "Supplied faq and tags arrays replace the stored lists."),
    R("post:fields", "records.md 4", "A post write takes the 28 fields; POST /posts takes publish too."),
    R("post:statuses", "service.md 4.1", "201 new post, 202 scheduled, 200 ordinary update, 204 deletion."),
    R("post:rich-text", "decisions.md 3.21", "rich_text is sanitised HTML, off by default."),
    R(
        "post:names-matched",
        "records.md 4",
        "Authors, categories, series and tags are found by their names or made; the default author signs.",
    ),
    R(
        "post:slugs",
        "decisions.md 9.14",
        "Slugs are transliterated; a text that yields nothing gets a digest; a blank one keeps what is stored.",
    ),
    R(
        "approval:fields",
        "service.md 4.1",
        "Appends an approval; requires revision_identifier, name and facts_checked (boolean).",
    ),
    R("approval:binds", "service.md 4.1", "Approvals bind to a revision."),
    R("approval:drafts", "decisions.md 9.5", "A post that is not public is approved in its current content."),
    R("connections:complete", "service.md 4.1", "Connections appends a complete declaration; an empty array is none."),
    R("connections:today", "service.md 4.1", "An omitted declaration date is the date of the operation (TIME_ZONE)."),
    R("hook:before-publish", "decisions.md 9.2", "before_publish gets the unsaved post and actor, now, attributes."),
    R("redirect:moves", "service.md 1", "URL moves are recorded as redirects."),
    R("redirect:removals", "service.md 1", "Removals are recorded as redirects; a return takes them back."),
    R("redirect:targets", "records.md 5.3", "A target is a slug, a path or a URL, resolved to its end, never a loop."),
]
