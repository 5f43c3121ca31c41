"""The four policy pages."""

from tests.requirements.rule import R

RULES = [
    R(
        "page:object",
        "service.md 2",
        "kind, slug, url, title, body, status, approved_by, approved_on, updated_at (UTC, whole seconds).",
    ),
    R(
        "page:url",
        "records.md 11",
        "url is the hosted address, also of a draft and while policy_urls names another page.",
    ),
    R(
        "page:kinds",
        "service.md 4.1",
        "responsible_party, corrections, editorial and ai_use, each with a slug of its own, and no others.",
    ),
    R(
        "page:read",
        "service.md 4.1",
        "GET /pages and GET /pages/:kind read pages, drafts too; a missing page and an unknown kind are 404.",
    ),
    R("page:unknown-kind", "decisions.md 8.7", "A PUT of an unknown kind is validation_failed [kind]."),
    R(
        "page:fields",
        "service.md 4.1",
        "PUT takes title, body, status, slug, approved_by and approved_on, each in its type.",
    ),
    R("page:statuses", "records.md 11", "201 for a new page, else 200."),
    R(
        "page:omitted",
        "service.md 4.1",
        "Omitted fields keep their stored values; a new title does not change the slug.",
    ),
    R(
        "page:defaults",
        "records.md 11",
        "A new page needs a title; it is a draft with an empty body unless told otherwise.",
    ),
    R("page:no-text", "service.md 4.1", "The service supplies no policy text."),
    R(
        "page:states",
        "service.md 3",
        "Saving with status draft or published moves the page there; a draft is 404 for readers.",
    ),
    R("page:whole", "records.md 11", "A published page has a body that is not blank; else validation_failed [body]."),
    R("page:slug", "records.md 11", "A slug belongs to one page: validation_failed [slug]."),
    R("page:scopes", "service.md 4.1", "Saving needs write; publishing, or changing a published page, publish too."),
    R(
        "page:approved-on",
        "service.md 4.1",
        "A nonblank approved_by dates an omitted approved_on today; a sent date survives.",
    ),
    R(
        "page:approved-by",
        "service.md 4.1",
        "Approval names are never filled automatically, and nobody invents no date; later edits keep both.",
    ),
    R(
        "page:racing",
        "records.md 21",
        "Of two first writes one is 201 and one 200; a writer who waits for a publication is refused.",
    ),
    R(
        "page:shown",
        "service.md 4.3",
        "Published pages are at /blog/policies/:slug and, in the order of the kinds, in the footer.",
    ),
    R("page:override", "service.md 4.3", "policy_urls[kind] hides that kind's hosted page."),
    R(
        "page:responsible",
        "service.md 4.3",
        "Publishing or withdrawing the responsible party changes notices and labels at once, and no record of a post.",
    ),
    R(
        "page:head",
        "reader.md 11",
        "Title and description are the page's title; index, follow; its own canonical; a WebPage with dateModified.",
    ),
    R("page:safe", "reader.md 11", "Its body is Markdown through the renderer of the articles."),
    R("page:addresses", "reader.md 1.2", "Only its own address shows it: no suffix, no other format."),
    R("page:validators", "decisions.md 3.17", "A policy page carries an ETag, and a change is never answered 304."),
    R("page:walls", "reader.md 1.3", "A login wall of the host stands before policy pages."),
]
