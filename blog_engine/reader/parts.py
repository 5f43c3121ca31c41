"""Parts of pages that are remembered by everything that they show.

Only the engine's own templates are, because those of a host may show anything.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

from django.core.signals import setting_changed
from django.template import Context, Engine, TemplateDoesNotExist
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from blog_engine.reader.page import PageKind

TEMPLATES: Final = Path(__file__).parents[1] / "templates"
"""The folder of the engine's own templates."""
_MOST: Final = 2_000
"""The parts that one process remembers, of about 2 kB each."""


_OF_SETTINGS: Final = frozenset(
    {"blog.browser_colors", "blog.card_art", "blog.fixed_scheme", "blog.social_links", "blog.brand"}
)
"""Variables that follow from the settings alone; when these change, everything is forgotten."""
_WITH_SEARCH_FORM: Final = frozenset({PageKind.SEARCH, PageKind.NOT_FOUND, PageKind.GONE})
"""Pages that have the form beside a sidebar or without one."""


@dataclass(frozen=True, slots=True)
class Part:
    """A template that shows only what its key holds, the settings, the language and the time zone."""

    includes: tuple[str, ...]
    """The other templates that it shows."""
    variables: frozenset[str]
    """The names in the context that these templates read."""
    key: Callable[[Context], Hashable]


def _assets(context: Context) -> Hashable:
    text, page = context.get("article") or context.get("policy"), context.get("page")
    scripts = text.scripts if text else None
    has_form = bool(context.get("sidebar")) or (page is not None and page.kind in _WITH_SEARCH_FORM)
    return context["blog"].theme_path, scripts, bool(context.get("is_list")), has_form


def _card(context: Context) -> Hashable:
    given = (context.get(name) for name in ("level", "is_featured", "is_eager", "arranged"))
    return context["card"], *given


def _byline(context: Context) -> Hashable:
    return (context["byline"],)


def _categories(context: Context) -> Hashable:
    return context["sidebar"].categories, context["page"].kind, context["blog"].index_path


def _sidebar(context: Context) -> Hashable:
    page, blog = context["page"], context["blog"]
    of_page = page.kind, page.atom_path, page.json_feed_path
    of_blog = blog.archive_path, blog.search_path, blog.search_json_path
    # The page of a search has its form elsewhere.
    words = None if page.kind == PageKind.SEARCH else context.get("words")
    return context["sidebar"], words, *of_page, *of_blog


def _icons(context: Context) -> Hashable:
    return context["blog"].icon_url, context["blog"].touch_icon_url


def _logo(context: Context) -> Hashable:
    return context["blog"].logo, context["blog"].site_name


def _pagination(context: Context) -> Hashable:
    return context.get("pages")


def _policy_links(context: Context) -> Hashable:
    blog = context["blog"]
    policies = tuple((kind, link.url) for kind, link in blog.policies.items())
    return policies, context.get("with_feed"), blog.atom_path, blog.archive_path


def _nothing(context: Context) -> Hashable:
    return None


PARTS: Final = {
    "blog_engine/_assets.html": Part(
        (),
        frozenset({"is_list", "article", "policy", "article.scripts", "policy.scripts", "sidebar", "page.kind"})
        | {"blog.theme_path"}
        | _OF_SETTINGS,
        _assets,
    ),
    "blog_engine/_byline.html": Part((), frozenset({"byline"}), _byline),
    "blog_engine/_card.html": Part(
        ("blog_engine/_art.html", "blog_engine/_card_meta.html", "blog_engine/_picture.html"),
        frozenset({"card", "level", "is_featured", "is_eager", "arranged"}) | _OF_SETTINGS,
        _card,
    ),
    "blog_engine/_card_meta.html": Part((), frozenset({"byline"}), _byline),
    "blog_engine/_categories.html": Part((), frozenset({"sidebar", "page.kind", "blog.index_path"}), _categories),
    "blog_engine/_icons.html": Part((), frozenset({"blog.icon_url", "blog.touch_icon_url"}), _icons),
    "blog_engine/_logo.html": Part((), frozenset({"blog.logo", "blog.site_name"}), _logo),
    "blog_engine/_pagination.html": Part((), frozenset({"pages"}), _pagination),
    "blog_engine/_policy_links.html": Part(
        (), frozenset({"blog.policies", "with_feed", "blog.atom_path", "blog.archive_path"}), _policy_links
    ),
    "blog_engine/_sidebar.html": Part(
        ("blog_engine/_search_form.html",),
        frozenset(
            {"sidebar", "words", "page.kind", "page.atom_path", "page.json_feed_path"}
            | {"blog.archive_path", "blog.search_path", "blog.search_json_path"}
        ),
        _sidebar,
    ),
    "blog_engine/_skip_link.html": Part((), frozenset(), _nothing),
    "blog_engine/_social_links.html": Part((), _OF_SETTINGS, _nothing),
    "blog_engine/_theme_switch.html": Part((), _OF_SETTINGS, _nothing),
}

_remembered: dict[Hashable, SafeString] = {}
_removing = Lock()


def part(context: Context, name: str) -> SafeString:
    """Return a part of ``PARTS``, rendered with the context like an include."""
    template = context.template
    engine: Engine = template.engine  # type: ignore[union-attr]  # a context that is being rendered has its template
    if engine.debug or not _is_own(engine, name):
        return engine.get_template(name).render(context)
    try:
        key = name, engine, get_language(), timezone.get_current_timezone(), PARTS[name].key(context)
        found = _remembered.get(key)
    except (AttributeError, KeyError, TypeError):
        # Something else than a page shows the part: without all values of a page, or with some that cannot be compared.
        return engine.get_template(name).render(context)
    if found is None:
        found = engine.get_template(name).render(context)
        with _removing:
            # The oldest one goes, used or not: it is soon rendered again.
            while len(_remembered) >= _MOST:
                del _remembered[next(iter(_remembered))]
            _remembered[key] = found
    return found


@cache
def _is_own(engine: Engine, name: str) -> bool:
    """Return whether the host has replaced neither the template nor what it includes."""
    try:
        return all(is_own_template(engine.get_template(one), one) for one in (name, *PARTS[name].includes))
    except TemplateDoesNotExist:
        return False


def is_own_template(template: Any, name: str) -> bool:
    """Return whether a template, of any template engine, is the one of this package with this name."""
    found = getattr(getattr(template, "origin", None), "name", None)
    own = TEMPLATES / name
    # Equal paths need not be resolved, which asks the file system about each of their folders.
    return found is not None and (found == str(own) or Path(found).resolve() == own.resolve())


def _forget(**_: object) -> None:
    _remembered.clear()
    _is_own.cache_clear()


setting_changed.connect(_forget, dispatch_uid="blog_engine.reader.parts")
