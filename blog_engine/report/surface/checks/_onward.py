"""Every link of a page to its own site leads readers somewhere (records.md 16: T14)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final
from urllib.parse import urldefrag, urljoin, urlsplit

from django.conf import settings as django_settings
from django.shortcuts import resolve_url
from django.urls import NoReverseMatch

from blog_engine.blog_urls import origin_parts, public_path
from blog_engine.report.surface.html import Element, HtmlPage
from blog_engine.report.surface.observation import Observation, judged_by
from blog_engine.report.surface.quoting import cut
from blog_engine.report.surface.site import Page, Site
from blog_engine.report.surface.targets import redirect_target, target_of

_ASKS_WHO: Final = (401, 403)
_PASSWORD: Final = re.compile(r"type\s*=\s*[\"']?\s*password", re.IGNORECASE)
"""What every password field holds; it spares most pages from being read as HTML."""


class _Place(Enum):
    """Where a link ends."""

    PAGE = auto()
    SIGN_IN = auto()
    NOT_FOR_EVERYBODY = auto()
    NOWHERE = auto()
    UNKNOWN = auto()


_FOR_THE_KNOWN: Final = (_Place.SIGN_IN, _Place.NOT_FOR_EVERYBODY)


def onward_links(page: Page, *, site: Site) -> Observation:
    """Each link to the same origin opens, at once or behind one redirect, and is no sign-in page.

    Below ``sign_in_destinations`` a link may also answer 401 or 403 or lead to a sign-in page. Without that setting
    nobody can tell whether a sign-in page is meant; when it is empty, none is. Other origins are never fetched.

    A sign-in page is at ``LOGIN_URL``, or has a visible password field, unless the page with the link has one, too:
    then the field belongs to the layout.
    """
    links = list(dict.fromkeys(_own_links(page, site=site)))
    walk = _Walk(site, sign_in=_sign_in_url(page), fields_tell=not _asks_for_password(page))
    faults: dict[str, str] = {}
    doubts: dict[str, str] = {}
    for url in links:
        place, reason = walk.end_of(url)
        is_sign_in = place is _Place.SIGN_IN
        if place is _Place.PAGE or (place in _FOR_THE_KNOWN and _is_declared(url, site=site)):
            continue
        if place is _Place.UNKNOWN or (is_sign_in and site.settings.sign_in_destinations is None):
            doubts[url] = f"{reason}; sign_in_destinations is not set" if is_sign_in else reason
        else:
            faults[url] = reason
    return judged_by(
        [f"{cut(url)} {reason}." for url, reason in faults.items()],
        [f"{cut(url)} {reason}." for url, reason in doubts.items()],
        well=f"Each of the {len(links)} links to the same site opens.",
        details={"links": [*faults, *doubts]} if faults or doubts else None,
    )


@dataclass(frozen=True, slots=True)
class _Walk:
    """Follows links as a reader would who is not signed in, over one redirect at most."""

    site: Site
    sign_in: str | None
    fields_tell: bool

    def end_of(self, url: str) -> tuple[_Place, str]:
        """Where a link ends, and what is wrong with it unless that is a page, as the rest of a sentence."""
        page = self.site.open(url)
        for is_last in (False, True):
            target = redirect_target(page)
            if target is None:
                return self._place_of(page)
            if self._is_sign_in(target) or self._is_sign_in(page.url):
                return _Place.SIGN_IN, "leads to a sign-in page"
            if is_last:
                break
            if not _is_own(target, site=self.site):
                return _Place.UNKNOWN, "leads to another site, which is not looked at"
            page = self.site.open(target)
        return _Place.NOWHERE, "is redirected more than once"

    def _place_of(self, page: Page) -> tuple[_Place, str]:
        if page.status is None:
            return _Place.UNKNOWN, "could not be fetched"
        if page.status in _ASKS_WHO:
            return _Place.NOT_FOR_EVERYBODY, f"answers {page.status}"
        if not page.is_open:
            return _Place.NOWHERE, f"answers {page.status}"
        if self._is_sign_in(page.url) or (self.fields_tell and _asks_for_password(page)):
            return _Place.SIGN_IN, "leads to a sign-in page"
        return _Place.PAGE, ""

    def _is_sign_in(self, url: str) -> bool:
        return _without_query(url) == self.sign_in


def _own_links(page: Page, *, site: Site) -> Iterator[str]:
    for link in page.html.root.all("a", "area"):
        if "href" in link.attrs and not _is_in_template(link):
            url = target_of(page, link.attrs["href"])
            if url and _is_own(url, site=site):
                yield urldefrag(url).url


def _is_own(url: str, *, site: Site) -> bool:
    try:
        return origin_parts(url) == origin_parts(site.urls.origin)
    except ValueError:
        # A port that is none.
        return False


def _is_declared(url: str, *, site: Site) -> bool:
    path = urlsplit(url).path
    prefixes = (public_path(prefix).rstrip("/") for prefix in site.settings.sign_in_destinations or ())
    return any(f"{path}/".startswith(f"{prefix}/") for prefix in prefixes)


def _sign_in_url(page: Page) -> str | None:
    try:
        return _without_query(urljoin(page.url, resolve_url(django_settings.LOGIN_URL)))
    except NoReverseMatch:
        return None


def _asks_for_password(page: Page) -> bool:
    if not _PASSWORD.search(page.text):
        return False
    # Not the page's own tree: hundreds of them would be kept.
    fields = HtmlPage(page.text).root.all("input")
    return any(one.attrs.get("type", "").strip().lower() == "password" and not one.is_hidden() for one in fields)


def _is_in_template(element: Element) -> bool:
    parent = element.parent
    while parent is not None and parent.name != "template":
        parent = parent.parent
    return parent is not None


def _without_query(url: str) -> str:
    return urldefrag(url).url.partition("?")[0]
