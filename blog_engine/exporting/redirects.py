"""The redirects of an export: for hosts that read ``_redirects``, and as maps for nginx."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

from blog_engine.blog_urls import BlogURLs, public_path
from blog_engine.conf import get_settings
from blog_engine.enums import ListKind
from blog_engine.exporting.media import renamed_media
from blog_engine.exporting.targets import ExportTarget, FileWriter
from blog_engine.models import Redirect

_SAFE_IN_TARGET: Final = "/?#[]@!&'()*+,;=:%~._-"
_PLAIN_KEY: Final = re.compile(r"/[a-z0-9/._-]+")
_NGINX_HEAD: Final = """\
# Maps for the http block of nginx:
#
#     map_hash_bucket_size 4096;
#     include …/redirects.map;
#
# and in the server block, before everything else:
#
#     if ($blog_gone) { return 410; }
#     if ($blog_redirect) { return 301 $blog_redirect; }
#     try_files $uri $uri/index.html =404;
"""


class _Rule(NamedTuple):
    """A path that leads on, or is gone."""

    path: str
    """Percent-encoded, without the query."""
    query: str
    """Empty if the path leads on whatever the query is."""
    target: str | None


def write_redirects(target: ExportTarget, alias: str, *, urls: BlogURLs) -> None:
    """Write ``static/_redirects`` and ``nginx/redirects.map``; the rows are read once for each list."""
    with target.open("static/_redirects") as file:
        for rule in _rules(alias, urls=urls):
            _write_line(file, rule)
        for path in _list_patterns(urls, slug=":slug"):
            file.write(f"{path}/ page=:number {path}/page/:number/ 301!\n".encode())
    with target.open("nginx/redirects.map") as file:
        file.write(_NGINX_HEAD.encode())
        for name, default, is_gone in (("$blog_gone", "0", True), ("$blog_redirect", "''", False)):
            _write_map(file, f"map $uri {name}_path", default, _of_kind(alias, urls, is_gone, has_query=False))
            rules = _of_kind(alias, urls, is_gone, has_query=True)
            pages = [] if is_gone else [f"  {key} $list/page/$number/;\n" for key in _page_patterns(urls)]
            _write_map(file, f'map "$uri?$args" {name}', f"{name}_path", rules, more=pages)


def _of_kind(alias: str, urls: BlogURLs, is_gone: bool, *, has_query: bool) -> Iterator[_Rule]:
    for rule in _rules(alias, urls=urls):
        if (rule.target is None, bool(rule.query)) == (is_gone, has_query):
            yield rule


def _write_map(file: FileWriter, start: str, default: str, rules: Iterator[_Rule], *, more: Iterable[str] = ()) -> None:
    file.write(f"\n{start} {{\n  default {default};\n".encode())
    for rule in rules:
        # ``_encoded`` leaves no dollar sign, which would begin a variable.
        value = "1" if rule.target is None else _quoted(rule.target)
        file.write("".join(f"  {key} {value};\n" for key in _keys(rule.path, query=rule.query)).encode())
    file.write("".join([*more, "}\n"]).encode())


def _page_patterns(urls: BlogURLs) -> list[str]:
    """Return the patterns of the later pages of lists."""
    paths = (unquote(path) for path in _list_patterns(urls, slug="[^/?]+"))
    return [_quoted(f"~^(?<list>{path})/?\\?page=(?<number>[0-9]+)$") for path in paths]


def _rules(alias: str, *, urls: BlogURLs) -> Iterator[_Rule]:
    rows = Redirect.objects.using(alias).order_by("pk").values_list("old_path", "new_path")
    for old, new in rows.iterator(500):
        path, _, query = public_path(old).partition("?")
        yield _Rule(_encoded(path), query, None if new is None else _encoded(public_path(new)))
    for path, renamed in renamed_media(alias, urls=urls):
        yield _Rule(path, "", renamed)


def _list_patterns(urls: BlogURLs, *, slug: str) -> list[str]:
    """Return the paths of the lists with pages, with a placeholder for a slug."""
    segments = (get_settings().route_segments.of(kind) for kind in ListKind)
    return [urls.prefix, *(f"{urls.prefix}/{segment}/{slug}" for segment in segments)]


def _encoded(url: str) -> str:
    """Return a path or URL in which no character ends a word, a line or a quotation."""
    return quote(url, safe=_SAFE_IN_TARGET)


def _write_line(file: FileWriter, rule: _Rule) -> None:
    if rule.target is None:
        # These hosts have no 410; without a file at the path they answer 404.
        file.write(f"# gone: {rule.path}{'?' if rule.query else ''}{_encoded(rule.query)}\n".encode())
        return
    wanted = "".join(f" {_encoded(part)}" for part in rule.query.split("&") if part)
    # Of a path with a query there may be a page without it.
    file.write(f"{rule.path}{wanted} {rule.target} {'301!' if wanted else '301'}\n".encode())


def _keys(path: str, *, query: str = "") -> list[str]:
    """Return the keys of a map for a path, which nginx has decoded, with or without a last slash, and its query."""
    decoded = unquote(path).rstrip("/")
    if query:
        return [_quoted(f"~^{_pattern(decoded)}/?\\?{_pattern(query)}$")]
    # Many patterns are slow, but other keys are compared without regard to case.
    if _PLAIN_KEY.fullmatch(decoded):
        return [decoded, f"{decoded}/"]
    return [_quoted(f"~^{_pattern(decoded)}/?$")]


def _pattern(text: str) -> str:
    """Return a pattern that matches the text only."""
    return "".join(_escaped(one) for one in text)


def _escaped(character: str) -> str:
    if character.isalnum() or not character.isascii() or character in "/_-":
        return character
    return f"\\{character}" if character.isprintable() else f"\\x{{{ord(character):x}}}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
