"""``reference/templates.md``: blocks, includes and every context field, from ``blog_engine.reader``."""

import ast
import inspect
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from pydantic import BaseModel

import blog_engine
from blog_engine import reader
from blog_engine.blog_urls import BlogURLs
from blog_engine.reader.page import PageKind
from reference_pages import page, table
from reference_pages.template_words import FIELDS, INCLUDES

EVERY_PAGE = {
    "blog": "Blog",
    "page": "Page",
    "layout": "text: the template to extend",
    "view": "the view, an instance of your `parent_controller` too",
}
"""What every page template is given."""

CONTEXTS: dict[str, dict[str, str]] = {
    "index.html": {
        "heading": "text: the `h1`",
        "featured": "Card or `None`: the featured post, on the first page",
        "cards": "list of Card",
        "published": "number of published posts",
        "pages": "PageLinks or `None` for a single page",
        "sidebar": "Sidebar or `None`",
    },
    "list.html": {
        "heading": "text: the `h1`",
        "description": "text, as in the head",
        "own_description": "text that is stored for the list, on the first page; may be empty",
        "cards": "list of Card",
        "total": "number of posts",
        "pages": "PageLinks or `None` for a single page",
        "sidebar": "Sidebar or `None`; not for an author",
        "profile": "Profile, only for an author",
    },
    "archive.html": {
        "heading": "text: the `h1`",
        "description": "text",
        "total": "number of posts",
        "years": "list of ArchiveYear: all of them, or that of the page",
        "groups": "list of ArchiveGroup; empty on the page of all years",
        "newer": "Named or `None`: the year or month after this one",
        "older": "Named or `None`: the one before",
        "pages": "PageLinks or `None` for a single page",
        "browse": "list of BrowseLink",
    },
    "directory.html": {
        "list_kind": "text: `category`, `tag`, `author` or `series`",
        "heading": "text: the `h1`",
        "description": "text",
        "total": "number of records",
        "groups": "list of DirectoryGroup",
        "pages": "PageLinks or `None` for a single page",
        "browse": "list of BrowseLink",
    },
    "subscribe.html": {
        "heading": "text: the `h1`",
        "feeds": "FeedLinks: those of the blog",
        "category_feeds": "list of FeedLinks",
        "readers": "list of FeedReader: those on the web",
    },
    "search.html": {
        "heading": "text: the `h1`",
        "words": "text: the query",
        "is_searchable": "whether the query has from 2 to 100 characters",
        "results": "list of Result",
        "cards": "list of Card: those of the results",
        "total": "number of results",
        "is_partial": "whether the results have only some of the words",
        "is_cut": "whether more posts were found than can be shown",
        "offered": "list of PostLink: other posts, when there is no result",
        "pages": "PageLinks or `None` for a single page",
        "sidebar": "Sidebar or `None`",
    },
    "post.html": {"article": "ArticleParts"},
    "preview.html": {"article": "ArticleParts"},
    "policy.html": {"policy": "Policy"},
    "history.html": {"history": "HistoryParts"},
    "history_version.html": {"version": "VersionText"},
    "history_changes.html": {"changes": "VersionChanges"},
    "error.html": {"title": "text: the `h1`", "cards": "list of Card: the newest posts"},
}
"""What each page template is given beside; tests/reader/test_templates.py compares it with the pages."""

OUTAGE = {"blog": "Blog, without policies", "title": "text", "heading": "text: the `h1`"}
"""What the page for an outage is given; it extends no layout, and must ask the database nothing."""

_INTRO = """\
# Templates

The templates of the reader pages: what each one extends, the blocks that yours can fill, and everything that it is
given. [Changing the look](../how-to/change-the-look.md) shows how to replace one. Keep the [markers](markers.md): the
surface report looks for them.

`{% load blog_engine %}` gives the filters `long_date`, `short_date`, `iso_date` and `enlarged`, and the tags
[`latest_posts`](python-api.md#latest-posts), [`robots_rules`](python-api.md#pages) and `part`.
`{% part "blog_engine/_card.html" level="2" %}` includes a template
as `{% include … with … %}` does, and remembers what it shows if it is one of the engine's own and none of
those that it includes is yours. `_picture.html` takes a `picture` and `sizes`; with
`is_cropped=True`, `enlarged` multiplies the lengths in `sizes` by the part that a window of 16:9 cuts off."""

USED_FOR = {
    "layout.html": "around every page",
    "index.html": "the index",
    "list.html": "category, tag, author and series",
    "archive.html": "the archive, its years and months",
    "directory.html": "all categories, tags, authors or series",
    "subscribe.html": "the feeds",
    "search.html": "search results",
    "post.html": "an article",
    "preview.html": "a signed preview; extends `post.html` and has its blocks",
    "policy.html": "a policy page",
    "history.html": "how an article was made",
    "history_version.html": "the text of a version that was public",
    "history_changes.html": "the differences between two such versions",
    "error.html": "404, 410, 429 and ended previews",
    "out_of_reach.html": "503, when the database does not answer",
}
"""The templates that are whole pages; all others are includes."""
_BLOCK = re.compile(r"\{% block (head|content|blog_\w+) %\}")
_TYPE = re.compile(r"\b[A-Z]\w+")
_TEMPLATES = Path(blog_engine.__file__).parent / "templates" / "blog_engine"
_TEXTS = {str: "text", bool: "boolean", int: "number", float: "number", datetime: "`datetime`", Promise: "text"}


def write() -> str:
    """Return the templates with their blocks, what each is given, and the objects with their fields."""
    roots = {word for context in [EVERY_PAGE, *CONTEXTS.values()] for text in context.values() for word in _types(text)}
    objects = _objects(roots)
    given = [
        part
        for template, context in CONTEXTS.items()
        for part in (f"### {template}", table(["Name", "Is"], _names(context, objects)))
    ]
    return page(
        _INTRO,
        "## Templates and blocks",
        'All are in `blog_engine/`. Put a template of the same name into a folder of `TEMPLATES[…]["DIRS"]`, or into an'
        " app that is before `blog_engine` in `INSTALLED_APPS`.",
        table(["Template", "Used for", "Blocks"], map(_blocks, USED_FOR)),
        "## Includes",
        "What an include reads must be in the context, or be given by `with`; names after a semicolon can be absent.",
        table(["Include", "Shows", "Reads"], map(_include, _includes())),
        "## What every page is given",
        table(["Name", "Is"], _names(EVERY_PAGE, objects)),
        f"`page.kind` is {', '.join(f'`{kind}`' for kind in PageKind)}.",
        "## What each page is given",
        *given,
        "### out_of_reach.html",
        "It extends no layout, is given only this, and must not query the database.",
        table(["Name", "Is"], _names(OUTAGE, objects)),
        "## Objects",
        *(part for name in sorted(objects) for part in _object(name, objects)),
        source="blog_engine/reader/",
    )


def _includes() -> list[Path]:
    return sorted(path for path in _TEMPLATES.glob("*.html") if path.name not in USED_FOR)


def _include(path: Path) -> list[str]:
    shows, reads = INCLUDES.get(path.name, ("", ""))
    return [f"`{path.name}`", shows, reads]


def _blocks(template: str) -> list[str]:
    blocks = _BLOCK.findall((_TEMPLATES / template).read_text("utf-8"))
    if template != "layout.html":
        blocks = [block for block in blocks if block not in {"head", "content"}]
    is_extending = template == "preview.html"
    return [f"`{template}`", USED_FOR[template], "" if is_extending else " ".join(f"`{block}`" for block in blocks)]


def _names(context: dict[str, str], objects: dict[str, type]) -> Iterator[list[str]]:
    for name, text in context.items():
        yield [f"`{name}`", _TYPE.sub(lambda word: _linked(word[0], objects), text)]


def _types(text: str) -> list[str]:
    return _TYPE.findall(text)


def _linked(name: str, objects: dict[str, Any]) -> str:
    return f"[{name}](#{name.lower()})" if name in objects else name


def _objects(roots: set[str]) -> dict[str, type]:
    """Return the classes that the words of the tables name, and those of their fields, by name."""
    modules = [import_module(f"{reader.__name__}.{module.name}") for module in pkgutil.iter_modules(reader.__path__)]
    known = {name: kind for module in modules for name, kind in vars(module).items() if isinstance(kind, type)}
    found: dict[str, type] = {}
    waiting = [known[word] for word in roots if _is_object(known.get(word))]
    while waiting:
        kind = waiting.pop()
        if kind.__name__ not in found:
            found[kind.__name__] = kind
            waiting += [part for hint in _fields(kind).values() for part in _classes_in(hint) if _is_object(part)]
    return found


def _is_object(kind: Any) -> bool:
    if not isinstance(kind, type) or kind is BlogURLs or not kind.__module__.startswith("blog_engine."):
        return False
    return is_dataclass(kind) or hasattr(kind, "_fields") or issubclass(kind, BaseModel)


def _classes_in(hint: Any) -> Iterator[Any]:
    yield hint
    for part in get_args(hint):
        yield from _classes_in(part)


def _fields(kind: type) -> dict[str, Any]:
    """Return the fields and properties of a class with their types; what only code needs is left out."""
    if issubclass(kind, BaseModel):
        return {name: field.annotation for name, field in kind.model_fields.items()}
    hints = {name: hint for name, hint in get_type_hints(kind).items() if not name.startswith("_")}
    properties = inspect.getmembers(kind, lambda member: isinstance(member, property))
    hints |= {name: get_type_hints(member.fget).get("return") for name, member in properties}
    return {name: hint for name, hint in hints.items() if hint is not BlogURLs}


def _object(name: str, objects: dict[str, type]) -> Iterator[str]:
    kind = objects[name]
    yield f"### {name}"
    yield _as_markdown(inspect.getdoc(kind) or "")
    meanings = _meanings(kind)
    rows = (
        [f"`{field}`", _words(hint, objects), meanings.get(field) or FIELDS.get(field, "")]
        for field, hint in _fields(kind).items()
    )
    yield table(["Field", "Is", "Meaning"], rows)


def _meanings(kind: type) -> dict[str, str]:
    """Return what is said of each field: the text after it, a property's docstring, pydantic's description."""
    if issubclass(kind, BaseModel):
        return {name: field.description or "" for name, field in kind.model_fields.items()}
    body = ast.parse(inspect.getsource(kind).strip()).body[0]
    assert isinstance(body, ast.ClassDef)  # noqa: S101 - the source of a class
    meanings: dict[str, str] = {}
    last = ""
    for node in body.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            last = node.target.id
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and last:
            meanings[last] = _as_markdown(str(node.value.value))
        elif isinstance(node, ast.FunctionDef):
            meanings[node.name] = _as_markdown(ast.get_docstring(node) or "")
    return meanings


def _as_markdown(docstring: str) -> str:
    return docstring.replace("``", "`")


def _words(hint: Any, objects: dict[str, type]) -> str:
    if get_origin(hint) is Annotated:
        return _words(get_args(hint)[0], objects)
    if get_origin(hint) is Literal:
        return " or ".join(f'`"{choice}"`' for choice in get_args(hint))
    if get_origin(hint) in (Union, UnionType):
        parts = list(dict.fromkeys(_words(part, objects) for part in get_args(hint)))
        return " or ".join(sorted(parts, key=lambda part: part == "`None`"))
    if get_origin(hint) in (tuple, list):
        return f"list of {_words(get_args(hint)[0], objects)}"
    if get_origin(hint) is dict:
        key, value = get_args(hint)
        return f"dictionary of {_words(value, objects)} by {_words(key, objects)}"
    if hint is type(None):
        return "`None`"
    if hint is SafeString:
        return "HTML"
    name = getattr(hint, "__name__", "")
    if name in objects:
        return _linked(name, objects)
    return next((text for kind, text in _TEXTS.items() if isinstance(hint, type) and issubclass(hint, kind)), "object")
