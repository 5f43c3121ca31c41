"""Search engines list the right pages of cards, each under words of its own (records.md 16: T21)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from blog_engine.queries.listings import sitemap_list_pages
from blog_engine.report.surface.html import HtmlPage
from blog_engine.report.surface.inspection import Inspection
from blog_engine.report.surface.observation import Observation, judged_by, not_verified
from blog_engine.report.surface.quoting import folded, quote
from blog_engine.report.surface.robots import CRAWLERS, NOT_FOLLOWED, NOT_LISTED, Directive, directives_of, robots_txt
from blog_engine.report.surface.robots_txt import RobotsTxt
from blog_engine.report.surface.site import Page


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a page says in its head. The page itself is not kept: hundreds of them fill the memory."""

    path: str
    url: str
    is_primary: bool
    status: int
    directives: tuple[Directive, ...] = ()
    words: Mapping[str, str] | None = None

    def told(self, words: frozenset[str]) -> Directive | None:
        """The first directive with one of these words."""
        return next((one for one in self.directives if one.word in words), None)

    @property
    def is_listed(self) -> bool:
        return self.status == 200 and self.told(NOT_LISTED) is None


def check_list_pages(inspection: Inspection) -> Observation:
    """All pages of the index and of the lists, as far as they can be fetched within the bounds of a report.

    Those of the index and of the primary lists may be listed and looked at, under a title and a description that no
    other page which may be listed has. Pages that are not listed still lead crawlers on.
    """
    site = inspection.site
    if "primary_list_type" not in site.settings.model_fields_set:
        return not_verified('No list type is configured: set primary_list_type to "categories" or "tags".')
    if not site.has_address:
        return not_verified("The list pages could not be fetched: public_base_url is not set.")
    # Before the pages, which may well use up what a report may fetch.
    rules = robots_txt(site)
    pages = list(sitemap_list_pages(site.urls))
    opened = ((one, site.open(one.path)) for one in pages)
    seen = [_look(one.path, page, is_primary=one.is_primary) for one, page in opened if page.status is not None]
    missing = len(pages) - len(seen)
    return judged_by(
        list(chain(_closed(seen), _directed(seen), _shared_words(seen), _forbidden(seen, rules))),
        [
            *([f"Only {len(seen)} of {len(pages)} list pages could be fetched."] if missing else []),
            *(["Nobody can tell what robots.txt allows: it could not be fetched."] if rules is None else []),
        ],
        well=f"All {len(pages)} pages of the index and of lists say to search engines what they should.",
        details={"pages": len(pages), "looked_at": len(seen)},
    )


def _look(path: str, page: Page, *, is_primary: bool) -> _Seen:
    if not page.is_open:
        return _Seen(path, page.url, is_primary, page.status or 0)
    html = HtmlPage(page.text)
    words = {"title": html.title, "description": next(iter(html.metas("description")), "")}
    return _Seen(path, page.url, is_primary, 200, directives_of(html, page.headers), words)


def _closed(seen: Iterable[_Seen]) -> Iterator[str]:
    return (f"{one.path} answered {one.status}." for one in seen if one.status != 200)


def _directed(seen: Iterable[_Seen]) -> Iterator[str]:
    for one in seen:
        hidden = one.told(NOT_LISTED)
        if hidden and one.is_primary:
            yield f"{one.path} belongs to the primary lists and should be listed, but {hidden}."
        elif hidden and (dead_end := one.told(NOT_FOLLOWED)):
            yield f"{one.path} is not listed and should still lead on, but {dead_end}."


def _shared_words(seen: Iterable[_Seen]) -> Iterator[str]:
    listed = [one for one in seen if one.is_listed]
    for what in ("title", "description"):
        by_words: defaultdict[str, list[_Seen]] = defaultdict(list)
        for one in listed:
            by_words[folded((one.words or {}).get(what, ""))].append(one)
        for words, sharing in by_words.items():
            yield from _complaints(what, words, sharing)


def _complaints(what: str, words: str, sharing: Sequence[_Seen]) -> Iterator[str]:
    primary = [one.path for one in sharing if one.is_primary]
    if not words:
        yield from (f"{path} has no {what}." for path in primary)
    elif primary and len(sharing) > 1:
        first, second, *others = dict.fromkeys([*primary, *(one.path for one in sharing)])
        more = f" and {len(others)} more" if others else ""
        yield f"The {what} {quote(words)} is that of {first}, {second}{more}."


def _forbidden(seen: Iterable[_Seen], rules: RobotsTxt | None) -> Iterator[str]:
    for one in seen:
        for crawler in CRAWLERS if rules and one.is_primary else ():
            if rules and not rules.allows(crawler, one.url):
                yield f"robots.txt forbids {crawler} to look at {one.path}."
