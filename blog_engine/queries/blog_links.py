"""Which address of the blog a link leads to (records.md 14, Link check)."""

from dataclasses import dataclass
from urllib.parse import SplitResult, parse_qs, unquote, urljoin, urlsplit

from blog_engine.addresses import mount, origin_parts, script_name
from blog_engine.conf import get_settings

_NO_SITE = "https://blog.invalid"
"""Stands for a site whose address is not known; only links that name no site are resolved against it."""
_NOT_FOR_READERS = frozenset({"api", "mcp"})


@dataclass(frozen=True, slots=True)
class BlogPath:
    """An address inside the blog, decoded.

    ``path`` is the whole as Django sees it, without ``SCRIPT_NAME``; ``rest`` is what follows the mount and its slash,
    without a slash at the end. ``formats`` are the values of ``?format=``.
    """

    path: str
    rest: str
    formats: frozenset[str]


def blog_path_of(href: str, *, page: str) -> BlogPath | None:
    """The address that a link of a page leads to, read as browsers do; ``None`` when no reader page can be there.

    ``page`` is the path of the page as browsers ask for it. Without ``public_base_url`` only links that name no site
    are looked at; the API and the agent endpoint never are.
    """
    parts = _on_this_site(href, page=page)
    if parts is None:
        return None
    path, outside = unquote(_without_dots(parts.path)), unquote(script_name())
    prefix = outside + unquote(mount())
    rest = path[len(prefix) :].removeprefix("/").removesuffix("/")
    if not f"{path}/".startswith(f"{prefix}/") or rest.split("/")[0] in _NOT_FOR_READERS:
        return None
    formats = parse_qs(parts.query, keep_blank_values=True).get("format", ())
    return BlogPath(path=path.removeprefix(outside), rest=rest, formats=frozenset(formats))


def _on_this_site(href: str, *, page: str) -> SplitResult | None:
    base = get_settings().public_base_url
    link = href.strip().replace("\\", "/")
    if not link or link[0] in "#?":
        return None
    try:
        if base is None and urlsplit(link).scheme:
            return None
        site = base or _NO_SITE
        whole = urljoin(site + page, link)
        return urlsplit(whole) if origin_parts(whole) == origin_parts(site) else None
    except ValueError:
        # It cannot be read as an address, so nobody can follow it.
        return None


def _without_dots(path: str) -> str:
    """The path without its ``.`` and ``..``, encoded ones too."""
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        match unquote(segment):
            case "..":
                kept = kept[:-1]
            case ".":
                pass
            case _:
                kept.append(segment)
    return "/" + "/".join(kept)
