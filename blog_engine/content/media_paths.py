"""Recognising the URLs of this blog's own media, which are never fetched."""

import re
from posixpath import normpath
from typing import Final
from urllib.parse import unquote, urlsplit

from blog_engine.content.origins import origin_parts

_STORED: Final = re.compile(r"([0-9a-f]{64})/.")


def own_media_path(src: str, *, site_origin: str | None, mount: str, script_name: str = "") -> str | None:
    """Return what follows `<mount>/media/` in a URL of this blog's media, decoded; `None` for any other URL.

    `src` may be a path, or an absolute URL on `site_origin` (scheme, host, port; no trailing slash). `mount` is the
    mount path without a trailing slash, `script_name` what the server puts before it. The URL is read as browsers
    read it: a backslash is a slash, `//host/path` has the site's scheme, dot segments are resolved.
    """
    try:
        path = _path_on_site(src.replace("\\", "/"), site_origin)
    except ValueError:
        return None
    for prefix in (f"{script_name}{mount}", mount):
        start = unquote(f"{prefix}/media/")
        if path is not None and path.startswith(start):
            return path.removeprefix(start)
    return None


def stored_image_digest(src: str, *, site_origin: str | None, mount: str, script_name: str = "") -> str | None:
    """Return the SHA-256 that a URL of this blog's media names, or `None`; the rest of its path is ignored."""
    path = own_media_path(src, site_origin=site_origin, mount=mount, script_name=script_name)
    found = _STORED.match(path) if path else None
    return found[1] if found else None


def _path_on_site(src: str, site_origin: str | None) -> str | None:
    """The decoded path of a URL on the site; `None` for one elsewhere and for a relative path."""
    parts = urlsplit(src)
    if parts.scheme or parts.netloc:
        whole = src if parts.scheme else f"{urlsplit(site_origin or '').scheme}:{src}"
        if site_origin is None or origin_parts(whole) != origin_parts(site_origin):
            return None
    path = unquote(parts.path)
    # normpath takes a final slash away.
    return normpath(path) + "/" * path.endswith("/") if path.startswith("/") else None
