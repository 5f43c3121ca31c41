"""What readers see."""

from tests.requirements.rule import R

RULES = [
    R("reader:index", "service.md 4.3", "/blog is the index with featured and ordinary cards."),
    R("reader:pages", "service.md 4.3", "Lists paginate with ?page=N. Unavailable pages return 404."),
    R("reader:article", "service.md 4.3", "/blog/:slug is the article."),
    R("reader:drafts-hidden", "service.md 4.3", "What is not public is read through signed previews only."),
    R("reader:markdown", "service.md 4.3", "/blog/:slug.md has canonical and noindex headers."),
    R(
        "reader:markdown-text",
        "service.md 4.3",
        "Title, then author, publication and update date, notices, body, FAQs, canonical URL; no description line.",
    ),
    R(
        "reader:preview",
        "service.md 4.3",
        "/blog/preview/:token shows unpublished content by a signed token, for as long as preview_expires_in says.",
    ),
    R("reader:moved", "service.md 4.3", "A post redirect returns 301."),
    R("reader:gone", "service.md 4.3", "A recorded removal returns 410."),
    R(
        "reader:any-path",
        "decisions.md 7.5",
        "Redirect rows work for every path that nothing else serves, compared percent-decoded without trailing slash.",
    ),
    R("reader:moved-markdown", "decisions.md 7.5", ".md of a moved post goes to the new address with .md."),
    R("reader:trailing-slash", "decisions.md 1", "A reader URL with a trailing slash answers 301 to the one without."),
    R("reader:faq-plain", "service.md 4.3", "FAQ records are plain text after the article; markup stays literal."),
    R("reader:faq-data", "service.md 4.3", "FAQ records supply the FAQ structured data."),
    R("reader:faq-collapsed", "service.md 4.3", "FAQ entries are collapsed by default (config.faq_collapsed)."),
    R(
        "reader:faq-lines",
        "service.md 4.3",
        "Blank lines make paragraphs, single line breaks remain visible, bare HTTP(S) URLs become links.",
    ),
    R("reader:dates", "service.md 4.3", "Reader dates come from publication history, not from update timestamps."),
    R("reader:maintenance", "service.md 4.3", "Maintenance does not advance the modification date."),
    R(
        "reader:label",
        "records.md 14",
        "The notice and digitalSourceType follow the label, and go with a facts-checked approval.",
    ),
    R("reader:responsible-party", "service.md 4.3", "The responsible-party page changes the notices immediately."),
    R(
        "reader:policy-urls",
        "service.md 4.3",
        "The address of a policy is the configured one, else the published local path, else none.",
    ),
    R(
        "reader:parent",
        "service.md 4.3",
        "config.parent_controller makes the pages inherit a host's class; previews do not.",
    ),
    R("reader:layout", "decisions.md 9.4", "A host layout needs exactly the blocks head and content."),
    R("reader:methods", "decisions.md 7.9", "POST, PUT, PATCH and DELETE on reader routes: 405 with Allow."),
    R("reader:dead-ends", "decisions.md 7.11", "404 and 410 are HTML pages, never cached for long."),
    R("reader:markers", "decisions.md 7.7", "The markers of content, body, FAQ and preview are ours."),
    R("reader:records-shown", "reader.md 4.4", "Corrections and the latest declaration are shown as text."),
    R("reader:csp", "decisions.md 3.25", "No inline script or style, no request to another host."),
    R("reader:safe", "decisions.md 9.22", "Raw HTML disappears; whatever is written, pages stay safe and fast."),
    R("reader:validators", "decisions.md 3.17", "HTML pages carry ETag and answer 304."),
    R("reader:queries", "design.md 3", "Pages and lists take at most 8 queries, however many posts there are."),
]
