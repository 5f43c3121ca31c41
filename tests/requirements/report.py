"""What the surface report looks at and answers."""

from tests.requirements.rule import R

RULES = [
    R("report:answer", "records.md 16", "GET /report: exactly the keys of the report; counts has all four results."),
    R("report:order", "records.md 16", "Rows by page checks, policies, T5, T6, T21, records, redirects, reach."),
    R("report:pages", "records.md 16", "Published posts by id, 50 per page."),
    R("report:unfetched", "records.md 16", "Without a base URL, and without an answer, pages are not verified."),
    R("report:input", "records.md 16", "scope, post, page, reach and format, each refused by its name."),
    R("report:text", "records.md 16", "Text for format=text, else for a first accepted type text/plain."),
    R("report:scope", "service.md 4.1", "GET /report needs read."),
    R("report:command", "records.md 20", "blog_report prints the text; a refusal is its code and details, exit 1."),
    R("report:e1", "records.md 16", "The author stands in a visible byline and in the structured data."),
    R("report:e3", "records.md 16", "The visible link of the author opens; without one the check fails."),
    R(
        "report:e5",
        "records.md 16",
        "The labelled published date is the recorded first one; a mark says when that is only declared.",
    ),
    R(
        "report:t3",
        "records.md 16",
        "Exactly one absolute canonical link, to canonical_url or the own URL, which answers 200.",
    ),
    R("report:t7", "records.md 16", "The page has a title that no other inspected article has."),
    R("report:t8", "records.md 16", "The page has a description that no other inspected article has."),
    R("report:t9", "records.md 16", "Levels of headings never skip."),
    R("report:t10", "records.md 16", "Exactly one h1, which is the title."),
    R("report:t11", "records.md 16", "The html lang is a well-formed language tag."),
    R("report:t12", "records.md 16", "The viewport declares width=device-width."),
    R("report:t13", "records.md 16", "Every img has an alt attribute."),
    R(
        "report:t15",
        "records.md 16",
        "Exactly one article in the structured data, complete; unknown import dates fail with a saying reason.",
    ),
    R("report:t16", "records.md 16", "Structured author and dates are those that readers see, and not in the future."),
    R("report:t17", "records.md 16", "og:title, og:type, og:image and og:url are there."),
    R(
        "report:e6",
        "records.md 16",
        "The date of change is the same in history, structured data, sitemap and on the page, by day or to the second.",
    ),
    R("report:e7", "records.md 16", "Each past correction has a visible notice with its date."),
    R("report:closed", "records.md 16", "A page that is not open: not verified without an answer, else fail."),
    R("report:garbage", "records.md 16", "Whatever stands on a page, no check ends in an exception."),
    R("report:once", "records.md 16", "Each address is fetched once in a report."),
    R("report:bounds", "records.md 16", "10 s and 10 MiB a request; 60 s, 500 addresses and 32 MiB a report."),
    R("report:guard", "records.md 16", "Addresses are public, but those of the very origin of public_base_url."),
    R("report:no-redirects", "records.md 16", "The fetcher follows no redirects."),
    R("report:bot", "records.md 16", "The user agent contains Bot, so that no view is counted."),
]
