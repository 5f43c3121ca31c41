"""Every number in the documented tables of limits is that of the code."""

import re
from datetime import timedelta
from inspect import signature
from pathlib import Path
from typing import Any

from django.conf import global_settings

from blog_engine.conf.model import BlogSettings
from blog_engine.content import (
    _blocks,
    _markdown,
    _markdown_rules,
    code_options,
    dialect,
    figures,
    formulas,
    html,
    plain_text,
    search_query,
    search_text,
    text,
)
from blog_engine.content._placed_headings import MOST_READ_AGAIN
from blog_engine.doctor import appearance, content
from blog_engine.fetching import network
from blog_engine.fetching.client import fetch
from blog_engine.findings import base as findings
from blog_engine.http import rate_limit, requests
from blog_engine.images import (
    _decoding,
    _structure,
    fetched,
    fonts,
    inspect,
    links,
    shared,
    social,
    social_drawing,
    variants,
)
from blog_engine.images.fetched import fetch_digests, fetch_image
from blog_engine.inputs import conversation as inputs_of_conversation
from blog_engine.inputs import posts, records, reports, types
from blog_engine.mcp import resources
from blog_engine.operations import reports as operations_of_reports
from blog_engine.outputs import proposals as outputs_of_proposals
from blog_engine.outputs.differences import MOST_DIFFERENCE
from blog_engine.queries import (
    _search_names,
    archive,
    fragments,
    image_uses,
    listings,
    nearby,
    reviewers,
    search,
    sitemap,
)
from blog_engine.queries import bin as queried_bin
from blog_engine.queries import conversation as queries_of_conversation
from blog_engine.queries import proposals as queries_of_proposals
from blog_engine.queries import tokens as queried_tokens
from blog_engine.reader import llms
from blog_engine.reader import search as reader_search
from blog_engine.reader import sitemap as reader_sitemap
from blog_engine.services import _kept_versions, _proposed_edit, deliveries, upload_tickets
from blog_engine.surface_report import web
from tests.requirements import requirement

DOCS = Path(__file__).parents[2] / "docs"
PLACES = {
    "contract/access-and-limits.md": ("Rate limits", "Limits of requests", "Limits of fields"),
    "contract/images.md": ("Accepted bytes",),
    "contract/limits.md": ("Images", "Outgoing requests", "Answers and pages"),
}
"""The sections whose tables list limits."""


def default_of(name: str) -> Any:
    field = BlogSettings.model_fields[name]
    return field.get_default(call_default_factory=False)


def rate(text: str) -> int:
    return int(text.removesuffix("/m"))


def in_mebibytes(size: int) -> tuple[int, int]:
    return size, size // 2**20


def argument(function: Any, name: str) -> Any:
    return signature(function).parameters[name].default


def seconds_of_a_write() -> float:
    return 2 * argument(fetch_image, "seconds") + argument(fetch_digests, "seconds")


TOLD: dict[str, tuple[float, ...]] = {
    "Body of an API call": in_mebibytes(requests.MAX_JSON_BYTES),
    "Body of an upload or of a message to the agent endpoint": (
        requests.UPLOAD_MARGIN // 2**20,
        (2 * default_of("max_image_bytes") + requests.UPLOAD_MARGIN) // 2**20,
    ),
    "A message to the agent endpoint without its longest text": (requests.MAX_JSON_BYTES,),
    "Nesting of JSON": (requests.MAX_NESTING,),
    "Keys of one object": (requests.MAX_KEYS,),
    "A number": (64,),
    "Pieces of markup that a write reads again to find headings after its `edits`": (MOST_READ_AGAIN,),
    "Query parameters": (global_settings.DATA_UPLOAD_MAX_NUMBER_FIELDS,),
    "Parts of a form": (global_settings.DATA_UPLOAD_MAX_NUMBER_FILES,),
    "`api_rate_limit`": (rate(default_of("api_rate_limit")),),
    "refused tokens": (rate(rate_limit.FAILED_ATTEMPTS_RATE),),
    "`search_rate_limit`": (rate(default_of("search_rate_limit")),),
    "Body of a post, a policy page or an FAQ extraction": (default_of("max_body_bytes"), 8),
    "Name, title, other short text": (types.SHORT_TEXT,),
    "Slug": (text.MAX_SLUG_LENGTH,),
    "Path, URL, `feed_id`": (types.LINK_LENGTH,),
    "Every other text: description, question, answer, note, evidence, biography": (types.LONGEST_TEXT,),
    "Table cells of a Markdown body": (_markdown.MAX_CELLS,),
    "Pieces of markup of a Markdown body": (_markdown.MAX_MARKUP,),
    "Tags and character references of an HTML body": (plain_text.MAX_TAGS,),
    "Every list: tags, FAQ, connections, old slugs, profile URLs, standalone questions": (types.LONGEST_LIST,),
    "`redirects` of one call": (records.MOST_REDIRECTS,),
    "All questions and answers of a post together": (posts.LONGEST_FAQ,),
    "Position of a category or in a series": (types.LARGEST_INTEGER,),
    "`page`": (types.LARGEST_PAGE,),
    "`per_page`": (types.LARGEST_PAGE_SIZE, default_of("mcp").max_page_size),
    "Days of `GET /views/top`": (reports.MOST_DAYS,),
    "Posts of `GET /views/top`": (reports.MOST_POPULAR_POSTS,),
    "Combining marks in a row, in every text": (text.MOST_MARKS,),
    "Words to search for": (search._SHORTEST, search._LONGEST),
    "Size of the file": in_mebibytes(default_of("max_image_bytes")),
    "Pixels, all frames of an animation together": (default_of("max_image_pixels"),),
    "Frames of an animation": (_decoding._MAX_FRAMES,),
    "Chunks, segments and blocks of a PNG, JPEG or GIF": (_structure.MOST_PARTS,),
    "Scans of a JPEG": (_structure._MOST_SCANS, _structure._MOST_PIXELS_SCANNED),
    "Memory that one image takes while it is decoded or drawn": (_structure.MOST_BYTES / 1_000_000,),
    "Pixels of a variant": (variants.MOST_DRAWN,),
    "File name": (inspect._LONGEST,),
    "Copy of an image for networks and feeds": (figures.SHARED_WIDTH, shared.MOST_SHARED_BYTES),
    "Variants of an image": (len(figures.VARIANT_WIDTHS), *figures.VARIANT_WIDTHS, len(figures.VARIANT_TYPES)),
    "A signed reference to a file of the host": (links._LIFETIME / timedelta(hours=1),),
    "Life of an upload ticket": (
        upload_tickets.LIFETIME / timedelta(minutes=1),
        upload_tickets._KEPT / timedelta(hours=1),
    ),
    "Uploads to a ticket without success": (queried_tokens.MOST_ATTEMPTS,),
    "Open upload tickets of an actor": (upload_tickets.MOST_OPEN,),
    "Uses of an image in a list": (image_uses.MOST_LISTED_USES,),
    "One image at a URL": (
        *(argument(fetch_image, "seconds"), argument(fetch, "redirects")),
        network._MOST_ATTEMPTS,
    ),
    "Images in the body of one write": (
        *(fetched._MOST_OF_A_BODY, fetched._AT_ONCE),
        argument(fetch_digests, "seconds"),
    ),
    "One write, with cover, social image and body": (seconds_of_a_write(),),
    "One request of a [webhook](webhooks.md), to a hub or to IndexNow": (deliveries.ATTEMPT_SECONDS,),
    "Attempts to send an event": (
        len(deliveries.BACKOFF) + 1,
        *(wait.total_seconds() for wait in deliveries.BACKOFF),
    ),
    "Lease of an event that a worker sends": (deliveries.LEASE.total_seconds(),),
    "Events of one request to a hub or to IndexNow": (deliveries.MOST_TOGETHER,),
    "Events that were sent or given up": (default_of("notify").kept_days,),
    "URLs that the doctor opens": (content._SECONDS, content._STEP_SECONDS),
    "Surface report": (web.SECONDS, web.MOST_URLS, *in_mebibytes(web.MOST_BYTES)),
    "One request of the surface report": (web.SECONDS_PER_REQUEST, *in_mebibytes(web.MOST_BYTES_PER_REQUEST)),
    "Public posts that `GET /doctor` recomputes": (operations_of_reports.MOST_POSTS,),
    "Links that the finding `link_same_site_broken` checks": (findings.MOST_LINKS,),
    "Posts whose headings the finding `link_fragment_missing` looks at": (fragments._MOST_POSTS,),
    "Names of records that a search looks at": (_search_names._MOST_NAMES,),
    "Difference of versions, a dry run or a proposal": (MOST_DIFFERENCE,),
    "Versions of the draft of a post": (
        _kept_versions.MOST_KEPT,
        _kept_versions.CLEANED_EVERY,
        default_of("versions").days,
    ),
    "Removed drafts in the bin": (queried_bin.BIN_DAYS,),
    "Undecided proposals of a post": (queries_of_proposals.MOST_UNDECIDED,),
    "Fields of one proposal": (_proposed_edit._MOST_BODIES,),
    "Each passage of a conflict of a proposal": (outputs_of_proposals.LONGEST_PASSAGE,),
    "Proposals in the records of a post": (queries_of_proposals.MOST_OF_A_POST,),
    "Text of an entry in the [conversation](reviews.md) about a post": (inputs_of_conversation.LONGEST_REMARK,),
    "Passage that a remark quotes": (inputs_of_conversation.LONGEST_PASSAGE,),
    "Open remarks on a post": (queries_of_conversation.MOST_OPEN,),
    "Entries in the conversation about a post": (queries_of_conversation.MOST_ENTRIES,),
    "Conversation in the records of a post": (queries_of_conversation.MOST_SHOWN,),
    "Users that a form offers for a review": (reviewers.MOST_REVIEWERS,),
    "Suggestions of `search.json`": (reader_search.MAX_SUGGESTIONS,),
    "Results of a search": (search.MOST_SHOWN, search.MOST_FOUND),
    "Words of a query that are searched": (search_query.MOST_TERMS,),
    "Different words of a post that are indexed": (search_text.MOST_WORDS, search_text.LONGEST_TEXT),
    "Entries of a feed": (default_of("feed_size"),),
    "Pictures of shared links that the storage did not take, kept by a process": (social.MOST_UNSAVED,),
    "Title in a picture of shared links": (social.LONGEST_TITLE, social_drawing.MOST_LINES),
    "Author and site in a picture of shared links": (social.LONGEST_NAME,),
    "Fonts of the system that pictures are drawn with": (fonts.MOST_FILES,),
    "Posts whose picture of shared links the doctor looks at": (appearance.NEWEST_PICTURES,),
    "Code with marked or numbered lines": (_blocks.MAX_SEPARATE_LINES,),
    "Info string of a code block": (code_options.MAX_INFO, code_options.MAX_TITLE, code_options.MAX_MARKS),
    "A document of the sitemap": (reader_sitemap.LARGEST_DOCUMENT // 2**20,),
    "Years of the archive": (archive.MOST_YEARS,),
    "Posts on a page of the archive": (archive.ARCHIVE_ROWS,),
    "Records of a directory": (listings.MOST_RECORDS, listings.DIRECTORY_ROWS),
    "Parts of a series that an article lists": (nearby.MOST_PARTS,),
    "Cards on a reader page": (default_of("posts_per_page"), 9),
    "URLs in one part of the sitemap": (sitemap.ENTRIES_OF_A_PART,),
    "Posts on a page of `llms.txt`": (llms.LINKS_ON_PAGE,),
    "Posts on a page of `llms-full.txt`": (llms.TEXTS_ON_PAGE,),
    "Values of `completion/complete`": (resources.MOST_VALUES,),
    "Life of a preview link": (default_of("preview_expires_in").total_seconds(),),
    "Nesting in the text of a page": (_markdown.MAX_NESTING, _markdown.MAX_BRACKETS, html.MAX_DEPTH),
    "Bare URLs in a text that become links": (_markdown_rules.MAX_BARE_LINKS,),
    "Footnote marks in a text": (_markdown.MAX_FOOTNOTE_MARKS,),
    "A formula": (dialect.MAX_TEX,),
    "Formulas of a text": (formulas.MAX_FORMULAS, formulas.MAX_TEX_OF_TEXT, formulas.MAX_LEVELS),
    "Highlighted code": (_blocks.MAX_BLOCK, _blocks.MAX_LINES, _blocks.MAX_DOCUMENT),
}


def rows() -> dict[str, str]:
    """Return the limit in each row of the tables, by its name."""
    found = {}
    for page, sections in PLACES.items():
        text = (DOCS / page).read_text("utf-8")
        for section in sections:
            table = text.partition(f"## {section}\n")[2].partition("\n## ")[0]
            for line in table.splitlines():
                if line.startswith("| "):
                    what, limit, *_ = line.strip("|").split(" | ")
                    found[what.strip()] = limit
    return found


def numbers_in(text: str) -> tuple[float, ...]:
    return tuple(float(number.replace(",", "")) for number in re.findall("[0-9][0-9,]*[0-9]|[0-9]", text))


@requirement("limits.documented")
def test_the_documentation_has_the_limits_of_the_code() -> None:
    told = {what: found for what, limit in rows().items() if (found := numbers_in(limit))}

    assert told == {what: tuple(map(float, numbers)) for what, numbers in TOLD.items()}
