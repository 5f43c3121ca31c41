"""Recognising the address of a stored image (records.md 6, decisions.md 9.9)."""

import re
from typing import Final

_AFTER_MOUNT: Final = re.compile(r"/media/([0-9a-f]{64})/")


def stored_image_digest(src: str, *, site_origin: str | None, mount: str, script_name: str = "") -> str | None:
    """The SHA-256 that an image address names, or ``None`` when it is not an address of this blog's media.

    ``src`` may be a path or an absolute URL on ``site_origin`` (scheme, host, port; no trailing slash). ``mount`` is
    the mount path without a trailing slash, ``script_name`` what the server puts before it; the file name is ignored.
    """
    path = src.removeprefix(site_origin) if site_origin else src
    for prefix in (f"{script_name}{mount}", mount):
        found = _AFTER_MOUNT.match(path, len(prefix)) if path.startswith(prefix) else None
        if found:
            return found[1]
    return None
