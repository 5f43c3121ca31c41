"""Pages that this process keeps: which requests get one, which answers are kept, and for how long.

A kept page is sent while the content has the version that was read before the page was rendered. What a page shows
without a write, such as a date that was in the future, ends its life, and so does a minute.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event, Lock
from time import time
from typing import Final

from django.conf import settings as django_settings
from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template import TemplateDoesNotExist, TemplateSyntaxError
from django.template.loader import get_template
from django.urls import get_script_prefix, get_urlconf
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.functional import LazyObject, empty
from django.utils.http import parse_http_date_safe

from blog_engine.conf import get_settings, parent_controller
from blog_engine.conf.load import kept_until_settings_change
from blog_engine.conf.model import BlogSettings
from blog_engine.http.requests import origin_of
from blog_engine.models import ContentVersion
from blog_engine.models.reading import PageRead, database_of
from blog_engine.queries.remembered import content_version, in_transaction, next_changes
from blog_engine.reader.counting import post_shown, show_again
from blog_engine.reader.http import MUST_ASK_AGAIN
from blog_engine.reader.parts import TEMPLATES, is_own_template

_OVERHEAD: Final = 2048
"""The bytes of an entry beside its content, about."""
_LARGEST_SHARE: Final = 4
"""A page that takes more than this part of the memory is not kept: it would displace most others."""
_PATIENCE: Final = 10.0
"""The seconds after which a thread renders a page itself that another thread renders."""


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A whole answer with status 200, and when it is valid."""

    version: str
    content: bytes
    headers: dict[str, str]
    modified: int | None
    """``Last-Modified`` as seconds since the epoch."""
    shown_post: int | None
    """The id of the post whose views are counted."""
    made_at: float
    ends_at: float

    def is_valid(self, version: str, *, now: float) -> bool:
        """Return whether the page may be sent; not before it was made, after a clock was set back."""
        return self.version == version and self.made_at <= now < self.ends_at

    @property
    def size(self) -> int:
        """The bytes that the page takes, about."""
        return len(self.content) + _OVERHEAD


class PageMemory:
    """The pages that were used last, up to ``max_bytes``; threads share it."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._size = 0
        self._pages: OrderedDict[Hashable, KeptPage] = OrderedDict()
        self._rendering: dict[Hashable, Event] = {}
        self._lock = Lock()

    def find(self, key: Hashable, version: str, *, now: float) -> KeptPage | None:
        """Return the page at the key, if it is valid."""
        with self._lock:
            page = self._pages.get(key)
            if page is None or not page.is_valid(version, now=now):
                return None
            self._pages.move_to_end(key)
            return page

    def keep(self, key: Hashable, page: KeptPage) -> None:
        """Keep the page in place of the one at the key, and drop those that were not used for longest."""
        with self._lock:
            replaced = self._pages.pop(key, None)
            self._size -= replaced.size if replaced else 0
            if page.size > self._max_bytes // _LARGEST_SHARE:
                return
            self._pages[key] = page
            self._size += page.size
            while self._size > self._max_bytes:
                _, dropped = self._pages.popitem(last=False)
                self._size -= dropped.size

    @contextmanager
    def turn(self, key: Hashable, version: str) -> Iterator[None]:
        """Enter the block alone for a page and version, or after the thread that was in it."""
        wanted = key, version
        with self._lock:
            other = self._rendering.get(wanted)
            mine = Event()
            self._rendering.setdefault(wanted, mine)
        if other is not None:
            # Those who waited enter together: a page that could not be kept must not be rendered one by one.
            other.wait(_PATIENCE)
            yield
            return
        try:
            yield
        finally:
            with self._lock:
                del self._rendering[wanted]
            mine.set()


_LONGEST_LIFE: Final = 60
"""Seconds. Popular posts change without a new version, and so does what no trigger notices."""
_OF_CALLERS: Final = ("HTTP_COOKIE", "HTTP_AUTHORIZATION", "REMOTE_USER")
_CONDITIONS: Final = ("HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_UNMODIFIED_SINCE")
_NONCES: Final = ("_csp_nonce", "csp_nonce")
"""Attributes of the request: of Django 6, and of django-csp."""
_VARIES_BY: Final = frozenset({"", "cookie", "authorization"})

Render = Callable[[], HttpResponseBase]


def answer_page(
    request: HttpRequest, page: PageRead, *, queries: re.Pattern[str] | None, render: Render
) -> HttpResponseBase:
    """Return the kept page, or the answer of ``render``, which is kept if anyone may get it.

    ``queries`` matches the query strings of the view, each of which makes another page; ``None`` for a view whose
    pages are not kept. Raises ``django.db.Error`` if the database cannot be read.
    """
    if queries is None or not _is_anonymous(request) or not queries.fullmatch(request.META.get("QUERY_STRING", "")):
        return render()
    state = _state()
    if state.memory is None:
        return (
            _conditional(request, _shared(request, _whole(request, render), state))
            if state.shared_seconds
            else render()
        )
    kept = _kept_page(request, page, state, state.memory, render=render)
    return kept if isinstance(kept, HttpResponseBase) else _sent_again(request, kept)


def _kept_page(
    request: HttpRequest, page: PageRead, state: "_State", memory: PageMemory, *, render: Render
) -> KeptPage | HttpResponseBase:
    now = time()
    alias = database_of(ContentVersion)
    key = _key(request, alias)
    version = state.known_version(alias, now=now)
    kept = memory.find(key, version, now=now) if version else None
    if kept:
        return kept
    version = content_version()
    if version is None:
        return render()
    state.versions[alias] = version, now
    kept = memory.find(key, version, now=now)
    if kept:
        return kept
    with memory.turn(key, version):
        kept = memory.find(key, version, now=now)
        if kept:
            return kept
        ends = _end_of_life(now=now)
        response = _shared(request, _whole(request, render), state)
        if page.changes_at:
            ends = min(ends, page.changes_at.timestamp())
        if ends > now and type(response) is HttpResponse and _is_for_anyone(request, response):
            memory.keep(key, _page_of(request, response, version=version, made_at=now, ends_at=ends))
    return _conditional(request, response)


def _key(request: HttpRequest, alias: str) -> Hashable:
    """Return what a page depends on beside the content and the settings."""
    return (
        alias,
        request.path,
        request.META.get("QUERY_STRING", ""),
        origin_of(request),
        get_script_prefix(),
        get_urlconf(),
        timezone.get_current_timezone(),
    )


def _is_anonymous(request: HttpRequest) -> bool:
    """Return whether nothing in the request, or in what a middleware made of it, names a caller."""
    sent = request.META
    if any(sent.get(name) for name in _OF_CALLERS):
        return False
    if _has_read_session(request):
        return False
    user = request.__dict__.get("user")
    return user is None or _is_unused(user) or not user.is_authenticated


def _has_read_session(request: HttpRequest) -> bool:
    session = request.__dict__.get("session")
    return session is not None and (session.accessed or session.modified)


def _is_unused(value: object) -> bool:
    return isinstance(value, LazyObject) and value.__dict__.get("_wrapped") is empty


def _is_for_anyone(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether the answer is complete and the same for every anonymous reader."""
    vary = {name.strip().lower() for name in response.headers.get("Vary", "").split(",")}
    return (
        response.status_code == 200
        and not response.streaming
        and not response.cookies
        and vary <= _VARIES_BY
        and "no-store" not in response.headers.get("Cache-Control", "")
        and "CSRF_COOKIE_NEEDS_UPDATE" not in request.META
        and not _has_read_session(request)
        and not any(_shows_nonce(request.__dict__.get(name), response) for name in _NONCES)
    )


def _shows_nonce(nonce: object, response: HttpResponse) -> bool:
    if nonce is None or _is_unused(nonce):
        return False
    return str(nonce).encode() in response.content


def _whole(request: HttpRequest, render: Render) -> HttpResponseBase:
    """Return the answer to the request without its conditions: a 304 could not be kept."""
    conditions: dict[str, str] = {name: request.META.pop(name) for name in _CONDITIONS if name in request.META}
    try:
        return render()
    finally:
        request.META.update(conditions)


def _shared(request: HttpRequest, response: HttpResponseBase, state: "_State") -> HttpResponseBase:
    """Let shared caches keep the answer, if the host wants it and anyone may get it."""
    seconds = state.shared_seconds
    if (
        seconds
        and type(response) is HttpResponse
        and response.headers.get("Cache-Control") == MUST_ASK_AGAIN
        and _is_for_anyone(request, response)
    ):
        response.headers["Cache-Control"] = f"max-age=0, s-maxage={seconds}, public, must-revalidate"
    return response


def _page_of(request: HttpRequest, response: HttpResponse, *, version: str, made_at: float, ends_at: float) -> KeptPage:
    return KeptPage(
        version=version,
        content=response.content,
        headers=dict(response.headers.items()),
        modified=_modified(response),
        shown_post=post_shown(request),
        made_at=made_at,
        ends_at=ends_at,
    )


def _sent_again(request: HttpRequest, kept: KeptPage) -> HttpResponseBase:
    if kept.shown_post is not None:
        show_again(request, kept.shown_post)
    response = HttpResponse(kept.content, headers=kept.headers)
    if not any(name in request.META for name in _CONDITIONS):
        return response
    tag = kept.headers.get("ETag")
    return get_conditional_response(request, etag=tag, last_modified=kept.modified, response=response) or response


def _conditional(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    if response.status_code != 200 or not isinstance(response, HttpResponse) or "ETag" not in response.headers:
        return response
    tag, modified = response.headers["ETag"], _modified(response)
    return get_conditional_response(request, etag=tag, last_modified=modified, response=response) or response


def _modified(response: HttpResponseBase) -> int | None:
    sent = response.headers.get("Last-Modified")
    return parse_http_date_safe(sent) if sent else None


def _end_of_life(*, now: float) -> float:
    """Return when the pages end that are made now, in seconds since the epoch; at most one query."""
    moment = timezone.localtime(timezone.now())
    ends = now + _LONGEST_LIFE
    new_year = datetime(moment.year + 1, 1, 1, tzinfo=moment.tzinfo)
    if new_year - moment < timedelta(seconds=2 * _LONGEST_LIFE):
        ends = min(ends, new_year.timestamp())
    return min([ends, *(following.timestamp() for following in next_changes(moment) if following is not None)])


@dataclass(slots=True)
class _State:
    """The limits of the settings, and the values that were read for all pages."""

    memory: PageMemory | None
    max_stale: int
    shared_seconds: int
    versions: dict[str, tuple[str, float]] = field(default_factory=dict)
    """The last known version of each database, and when it was read."""

    def known_version(self, alias: str, *, now: float) -> str | None:
        """Return the version that was read no longer than ``max_stale`` seconds ago."""
        if not self.max_stale or in_transaction(connections[alias]):
            return None
        version, read_at = self.versions.get(alias, ("", 0.0))
        return version if 0 <= now - read_at < self.max_stale else None


@kept_until_settings_change
def _state() -> _State:
    """Return the limits of the settings with what is kept under them: a page depends on every setting."""
    settings = get_settings()
    wanted = settings.page_cache
    return _State(
        memory=PageMemory(wanted.max_bytes) if _keeps_pages(settings) else None,
        max_stale=wanted.max_stale,
        shared_seconds=wanted.shared_seconds if settings.public_base_url else 0,
    )


def _keeps_pages(settings: BlogSettings) -> bool:
    if settings.page_cache.enabled is not None:
        return settings.page_cache.enabled
    is_own = settings.layout == BlogSettings.model_fields["layout"].default and parent_controller() is None
    return is_own and not django_settings.DEBUG and all(map(_is_unreplaced, TEMPLATES.glob("blog_engine/*.html")))


def _is_unreplaced(path: Path) -> bool:
    """Return whether the host has not replaced a template."""
    name = str(path.relative_to(TEMPLATES))
    try:
        return is_own_template(get_template(name), name)
    except (TemplateDoesNotExist, TemplateSyntaxError):
        return False
