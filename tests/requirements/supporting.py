"""Categories, tags, series and authors."""

from tests.requirements.rule import R

RULES = [
    R(
        "record:lists",
        "service.md 4.1",
        "Lists of categories, tags, authors, series, redirects and pages: {<plural>, page, per_page, total}, by id.",
    ),
    R(
        "record:list-input",
        "records.md 7",
        "They take page and per_page only; above 100 becomes 100; a page past the end is empty.",
    ),
    R("record:queries", "design.md 3", "A longer list takes no more queries."),
    R("record:scopes", "service.md 4.1", "Listing needs read, creating and editing write, before anything else."),
    R("record:statuses", "records.md 10", "POST answers 201, PATCH 200 and keeps what is left out."),
    R("record:ids", "records.md 1", ":id is the number of the record only; anything else is 404."),
    R("record:posts-count", "service.md 2", "posts_count counts stored posts of every state."),
    R("record:names", "records.md 10", "A name is required, as text that is not blank."),
    R(
        "record:slugs",
        "records.md 10",
        "A blank slug is derived from the name of a new record; one that is taken is validation_failed.",
    ),
    R(
        "record:symbols-in-slugs",
        "decisions.md 10.8",
        "Derived slugs of tags, categories, series and authors spell + as plus and # as sharp beside other letters.",
    ),
    R(
        "record:numbered-slugs",
        "decisions.md 10.8",
        "A slug derived from the name of a tag or category that another name has gets -2, -3 and so on.",
    ),
    R(
        "record:nulls",
        "records.md 10",
        "Texts take null; other types are validation_failed with the field.",
    ),
    R(
        "record:racing",
        "records.md 21",
        "Of two writers who want one name or slug one is refused; two edits are both kept.",
    ),
    R(
        "record:kept",
        "records.md 10",
        "The API deletes none; a deleted category or series leaves its posts without one, an author of posts stays.",
    ),
    R(
        "taxonomy:deletion",
        "decisions.md 10.2",
        "A deleted category or series leaves posts and page to another one, or its page is gone; the admin asks.",
    ),
    R(
        "record:renamed",
        "records.md 4",
        "A new name shows in answers at once and changes neither bylines nor revisions.",
    ),
    R("category:object", "service.md 2", "id, name, slug, description, position, posts_count."),
    R("category:fields", "service.md 4.1", "name, slug, description and position are writable, nothing else."),
    R(
        "category:unique",
        "records.md 10",
        "Its name is unique, exactly; a duplicate is validation_failed [name, slug].",
    ),
    R("category:position", "records.md 10", "position is an integer of 32 bits, 0 when omitted; null is refused."),
    R("tag:list", "service.md 4.1", "Tags have list access only: id, name, slug, posts_count."),
    R("series:object", "service.md 2", "id, name, slug, description, posts (id, slug, title, position)."),
    R("series:posts", "records.md 10", "Its posts come by position, then id, in every state."),
    R("series:fields", "service.md 4.1", "name, slug and description of a series are writable, nothing else."),
    R(
        "author:object",
        "service.md 2",
        "id, name, slug, type, bio, url, profile_urls, avatar, host_reference, posts_count.",
    ),
    R(
        "author:fields",
        "service.md 4.1",
        "All of them but id and posts_count are writable; type is person or organization.",
    ),
    R(
        "author:defaults",
        "records.md 10",
        "A new author is a person with no profile_urls; bio is empty, url, avatar and host_reference are null.",
    ),
    R(
        "author:avatar",
        "records.md 10",
        "avatar is null or an object with exactly one reference; another shape is validation_failed [avatar].",
    ),
    R(
        "author:avatar-last",
        "records.md 10",
        "Other fields are validated before the avatar is fetched; nothing is imported when they fail.",
    ),
    R(
        "author:host-file",
        "service.md 2",
        "An avatar that the host attached directly is null until it is imported; reading does not import it.",
    ),
]
