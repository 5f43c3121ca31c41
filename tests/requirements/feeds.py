"""The feeds."""

from tests.requirements.rule import R

RULES = [
    R("feed:routes", "service.md 4.3", "/blog/feed.xml and feed.json, and both below each category."),
    R("feed:records", "decisions.md 3.13", "Tags, authors and series have both feeds, too."),
    R("feed:unknown", "reader.md 7", "The feed of an unknown record is the HTML 404 page."),
    R("feed:json", "service.md 4.3", "JSON Feed 1.1 with the top-level and item keys that the specification names."),
    R("feed:atom", "reader.md 7.1", "Atom that is valid by the grammar of RFC 4287, whatever the texts hold."),
    R("feed:ids", "decisions.md 7.4", "Each feed has its own URL as id, and the page it feeds as alternate."),
    R(
        "feed:permanent-ids",
        "decisions.md 10.7",
        "An entry's id is tag:<host>,<day>:post:<id>, fixed when the post is first published or adopted.",
    ),
    R("feed:terms", "decisions.md 10.7", "Entries carry category, tags and cover; tags hold no sentences."),
    R("feed:size", "service.md 4.3", "Feeds have feed_size entries at most, in the standard order."),
    R("feed:summary", "decisions.md 7.4", "A summary is the description, or the first 60 words where it is blank."),
    R("feed:full", "service.md 4.3", "feed_content full carries the rendered body and no summary in its place."),
    R("feed:dates", "service.md 4.3", "updated is the latest real change; future dates and maintenance do not count."),
    R("feed:adopted", "service.md 4.3", "Without known dates the adoption time stands in, until a real change."),
    R("feed:label", "decisions.md 9.23", "Entries carry the AI label, for machines and for readers."),
    R("feed:validators", "decisions.md 3.17", "Feeds carry ETag and Last-Modified, and answer 304."),
    R("feed:cached", "reader.md 1.5", "Feeds may be kept for an hour by everybody."),
    R("feed:queries", "design.md 3", "A feed asks the database a small, fixed number of questions."),
]
