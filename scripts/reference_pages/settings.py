"""``reference/settings.md``: every setting, from the model in ``blog_engine.conf``."""

from collections.abc import Iterator
from datetime import timedelta

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from blog_engine.conf.faults import group_of, requirement_of
from blog_engine.conf.model import BlogSettings
from reference_pages import page, table

_INTRO = """\
# Settings

All settings are in one dictionary in your Django settings. Three keys are required:

```python
BLOG_ENGINE = {
    "site_name": "My Journal",
    "default_author": {"name": "Ada Example"},
    "publisher": {"name": "My Company"},
    "public_base_url": "https://example.com",  # not required, but set it in production
}
```

- A setting whose value is a dictionary has its own table below. `mcp.enabled` is `{"mcp": {"enabled": …}}`. Keys that
  you leave out keep their defaults.
- Values are not converted: `"yes"` is not a boolean and `True` is not a number. `manage.py check` reports a misspelt
  key, a wrong type or a bad value ([checks](checks.md)) with the nearest valid name. On first use they raise
  `ImproperlyConfigured`.
- Settings are read on first use, never on import, and again after `override_settings`. Only `route_segments` is read
  when the URL patterns are built, so a change of it needs a restart.
- The mount is not a setting. It is what your `path("…", include("blog_engine.urls"))` says.
- Hooks (`authenticate`, `before_publish`, `parent_controller`) are the object itself or its dotted path, which is
  imported on first use.
- Two Django settings also matter: `RATELIMIT_USE_CACHE` names the cache that counts requests (default: `"default"`),
  and `USE_TZ` must be `True`.
"""

# The first setting of each part, in the order of the declaration, and the title of the part.
_PARTS = {
    "site_name": "Who publishes",
    "locale": "Pages",
    "feed_content": "Feeds and sitemap",
    "body_formats": "Writing",
    "storage": "Images",
    "page_views": "Page views and reports",
    "notify": "Webhooks",
    "authenticate": "Access",
}

# Defaults that are computed when they are needed.
_COMPUTED_DEFAULTS = {
    "locale": "Django's `LANGUAGE_CODE`",
    "title_suffix": '`" — "` and the `site_name`',
    "preview_expires_in": "`604800` (7 days)",
    "max_image_bytes": "`10485760` (10 MiB)",
    "max_body_bytes": "`262144` (256 KiB)",
    "theme_colors": "`{}`",
    "page_view_bot_pattern": "the names of common bots, in any case",
}

_NESTED = "`[0]` is the first entry of a list; every entry has the same keys."

_HEAD = ["Setting", "Must be", "Default", "Meaning"]


def write() -> str:
    """Return the page: a table for each part and for each dictionary."""
    fields = BlogSettings.model_fields
    parts: list[str] = []
    for name in _PARTS:
        parts += [f"## {_PARTS[name]}", table(_HEAD, _rows_of_part(name))]
    groups: list[str] = []
    for name, field in fields.items():
        group = group_of(field)
        if group is not None:
            groups += _tables(name, group, described={})
    return page(_INTRO, *parts, "## Keys of the dictionaries", _NESTED, *groups, source="blog_engine/conf")


def _rows_of_part(part: str) -> Iterator[list[str]]:
    current = ""
    for name, field in BlogSettings.model_fields.items():
        current = name if name in _PARTS else current
        if current == part:
            yield _row(name, name, field)


def _tables(name: str, group: type[BaseModel], described: dict[type[BaseModel], str]) -> Iterator[str]:
    """Yield the table of a dictionary, then those of the dictionaries in it; equal ones have one table."""
    described[group] = name
    rows = []
    new = []
    for key, field in group.model_fields.items():
        nested = group_of(field)
        dotted = f"{name}.{key}"
        row = _row(key, dotted, field)
        if nested and issubclass(group, nested):
            row[1] = "a dictionary with the keys above"
        elif nested:
            path = f"{dotted}[0]" if isinstance(field.default, tuple) else dotted
            if nested not in described:
                described[nested] = path
                new.append((path, nested))
            row[1] += f": [keys](#{_anchor(described[nested])})"
        rows.append(row)
    yield f"### `{name}`"
    yield table(_HEAD, rows)
    for path, nested in new:
        yield from _tables(path, nested, described)


def _anchor(heading: str) -> str:
    return "".join(letter for letter in heading.lower() if letter.isalnum() or letter in "_-")


def _row(name: str, dotted: str, field: FieldInfo) -> list[str]:
    is_top = name == dotted
    return [f"`{dotted}`", requirement_of(field), _default(name, field, is_top=is_top), field.description or ""]


def _default(name: str, field: FieldInfo, *, is_top: bool) -> str:
    if field.is_required():
        return "**required**"
    if is_top and name in _COMPUTED_DEFAULTS:
        return _COMPUTED_DEFAULTS[name]
    if isinstance(field.default, BaseModel):
        return "see [below](#keys-of-the-dictionaries)" if is_top else "`{}`"
    return f"`{_literal(field.default)}`" if field.default != "" else '`""`'


def _literal(value: object) -> str:
    if isinstance(value, timedelta):
        raise TypeError("a duration needs words in _COMPUTED_DEFAULTS")
    if isinstance(value, tuple):
        return f"[{', '.join(map(_literal, value))}]"
    return f'"{value}"' if isinstance(value, str) else repr(value)
