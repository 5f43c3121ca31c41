"""Parts of pages that are remembered by everything that they show.

They save half of the time of an article and three fifths of that of a list, after a change of the content made all
pages new. Only the engine's own templates are remembered, because those of a host may show anything.
"""

from collections import OrderedDict
from collections.abc import Hashable
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, Final

from django.template import Context, Engine, TemplateDoesNotExist
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from blog_engine.conf.load import kept_until_settings_change
from blog_engine.reader.blog import Blog

TEMPLATES: Final = Path(__file__).parents[1] / "templates"
"""The folder of the engine's own templates."""
_MOST: Final = 2_000
"""The parts that one process remembers, of about 4 kB each."""

PARTS: Final[dict[str, tuple[str, ...]]] = {
    "blog_engine/_article_head.html": (
        *("article.title", "article.language", "article.lede", "article.byline", "article.translations"),
        *("article.ai_notice", "article.is_checked", "article.paid_notice", "article.paid_by", "article.disclosure"),
        *("article.cover", "article.cover_file", "article.art", "page.canonical", "blog.ai_use"),
    ),
    "blog_engine/_assets.html": (
        *("article.scripts", "policy.scripts", "blog.theme_path", "is_list", "page.kind", "sidebar", "history.check"),
    ),
    "blog_engine/_breadcrumbs.html": ("page.crumbs",),
    "blog_engine/_byline.html": ("byline",),
    "blog_engine/_card.html": ("card", "level", "is_featured", "is_eager", "arranged"),
    "blog_engine/_card_meta.html": ("byline", "marks"),
    "blog_engine/_categories.html": ("sidebar.categories", "page.kind", "blog.index_path"),
    "blog_engine/_contents.html": ("article.contents", "article.language", "faq_id"),
    "blog_engine/_faq.html": ("article.faq", "article.language"),
    "blog_engine/_filed.html": (
        *("article.tags", "article.share", "article.title", "article.authors", "blog.responsible_party"),
    ),
    "blog_engine/_footer.html": (
        *("blog.footer_links", "blog.year", "blog.site_name", "blog.publisher", "blog.policies"),
        *("blog.archive_path", "blog.atom_path"),
    ),
    "blog_engine/_head.html": (
        *("page", "is_list", "article.scripts", "policy.scripts", "sidebar", "history.check"),
        *("blog.title", "blog.site_name", "blog.licence", "blog.theme_path"),
    ),
    "blog_engine/_icons.html": ("blog.icon_url", "blog.touch_icon_url"),
    "blog_engine/_logo.html": ("blog.logo", "blog.site_name"),
    "blog_engine/_navigation.html": (
        *("page.kind", "blog.index_path", "blog.title", "blog.search_path", "blog.subscribe_path"),
    ),
    "blog_engine/_onward.html": (*("article.series", "article.call_to_action", "article.previous", "article.next"),),
    "blog_engine/_pagination.html": ("pages",),
    "blog_engine/_policy_links.html": ("blog.policies", "with_feed", "blog.atom_path", "blog.archive_path"),
    "blog_engine/_related.html": ("card",),
    "blog_engine/_search_form.html": ("blog.search_path", "blog.search_json_path", "words"),
    "blog_engine/_sidebar.html": (
        *("sidebar", "words", "page.kind", "page.atom_path", "page.json_feed_path"),
        *("blog.archive_path", "blog.search_path", "blog.search_json_path"),
    ),
    "blog_engine/_skip_link.html": (),
    "blog_engine/_social_links.html": (),
    "blog_engine/_theme_switch.html": (),
}
"""The variables that each part reads, with what it includes, besides those of ``OF_SETTINGS``."""
OF_SETTINGS: Final = frozenset(
    {"blog.browser_colors", "blog.card_art", "blog.fixed_scheme", "blog.social_links", "blog.brand", "blog.look_path"}
)
"""Variables that follow from the settings alone; when these change, everything is forgotten."""
_OF_CARDS: Final = ("blog_engine/_art.html", "blog_engine/_card_meta.html", "blog_engine/_picture.html")
INCLUDES: Final[dict[str, tuple[str, ...]]] = {
    "blog_engine/_article_head.html": (
        *("blog_engine/_art.html", "blog_engine/_byline.html", "blog_engine/_notices.html"),
        *("blog_engine/_picture.html", "blog_engine/_translations.html"),
    ),
    "blog_engine/_card.html": _OF_CARDS,
    "blog_engine/_filed.html": ("blog_engine/_share.html",),
    "blog_engine/_footer.html": ("blog_engine/_policy_links.html", "blog_engine/_social_links.html"),
    "blog_engine/_head.html": ("blog_engine/_assets.html",),
    "blog_engine/_navigation.html": ("blog_engine/_theme_switch.html",),
    "blog_engine/_onward.html": ("blog_engine/_series.html",),
    "blog_engine/_related.html": _OF_CARDS,
    "blog_engine/_sidebar.html": ("blog_engine/_search_form.html",),
}
"""The other templates that a part shows."""

_READ: Final = {
    name: [(first, attrgetter(rest) if rest else None) for first, _, rest in (one.partition(".") for one in variables)]
    for name, variables in PARTS.items()
}
"""For each variable its name in the context, and the function that reads an attribute of it."""


@kept_until_settings_change
def _remembered() -> OrderedDict[Hashable, SafeString]:
    return OrderedDict()


def part(context: Context, name: str, **values: object) -> SafeString:
    """Include a part of a page, with these values besides those of the page; the engine remembers its own ones."""
    template = context.template
    engine: Engine = template.engine  # type: ignore[union-attr]  # a context that is being rendered has its template
    # Something else than a page of the blog, such as a layout that the doctor renders, may lack any value.
    if engine.debug or not isinstance(context.get("blog"), Blog) or not _is_own(engine, name):
        return _rendered(context, engine, name, values)
    parts = _remembered()
    try:
        key = name, engine, get_language(), timezone.get_current_timezone(), *_values(context, name, values)
        found = parts.get(key)
    except (AttributeError, TypeError):
        # A template of the host has values of its own, which possibly cannot be compared.
        return _rendered(context, engine, name, values)
    if found is None:
        found = _rendered(context, engine, name, values)
        # The oldest one goes, used or not: it is soon rendered again.
        while len(parts) >= _MOST:
            parts.popitem(last=False)
        parts[key] = found
    return found


def _rendered(context: Context, engine: Engine, name: str, values: dict[str, object]) -> SafeString:
    with context.push(**values):
        return engine.get_template(name).render(context)


def _values(context: Context, name: str, given: dict[str, object]) -> list[Hashable]:
    """Return the values of the variables of a part; ``None`` for those that the page lacks."""
    values: list[Any] = []
    for first, attribute_of in _READ[name]:
        value: Any = given[first] if first in given else context.get(first)
        if attribute_of is not None and value is not None:
            value = attribute_of(value)
        values.append(tuple(value.items()) if type(value) is dict else value)
    return values


@cache
def _is_own(engine: Engine, name: str) -> bool:
    """Return whether the host has replaced neither the template nor what it includes."""
    try:
        return all(is_own_template(engine.get_template(one), one) for one in (name, *INCLUDES.get(name, ())))
    except TemplateDoesNotExist:
        return False


def is_own_template(template: Any, name: str) -> bool:
    """Return whether a template, of any template engine, is the one of this package with this name."""
    found = getattr(getattr(template, "origin", None), "name", None)
    own = TEMPLATES / name
    # Equal paths need not be resolved, which asks the file system about each of their folders.
    return found is not None and (found == str(own) or Path(found).resolve() == own.resolve())
