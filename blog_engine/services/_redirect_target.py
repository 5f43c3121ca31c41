"""Where a target that a caller sent finally leads (records.md 5.3)."""

from urllib.parse import urlsplit

from blog_engine.addresses import origin_parts, stored_path, stored_post_path
from blog_engine.conf import get_settings
from blog_engine.content.slugs import is_slug
from blog_engine.errors import ValidationFailed
from blog_engine.queries.redirects import path_key, redirect_at, without_format


def end_of_target(sent: str, *, start: str, field: str) -> str | None:
    """The end of the chain of redirects behind a sent target; ``None`` when it ends in a removal.

    A slug is a post's address, a URL of this site a path. Call it under the lock over the redirects. ``start`` is
    the stored path that shall lead to the target. Raises ``ValidationFailed`` naming ``field`` when the chain comes
    back to ``start`` or to itself; query, fragment and format (``.md``, ``.html``) make no difference.
    """
    # A path with a query leads back only to exactly itself: the page without the query is another one.
    seen = set() if "?" in start else {_page_of(start)}
    current: str | None = stored_post_path(sent) if is_slug(sent) else _on_own_site(sent)
    while current is not None:
        page = _page_of(current)
        if page in seen or path_key(current) == path_key(start):
            raise ValidationFailed([field], hint="The target leads back to this address: send another one.")
        seen.add(page)
        row = redirect_at(without_query(current), page)
        if row is None:
            return current
        current = row.new_path
    return None


def without_query(target: str) -> str:
    """A target without its query and fragment."""
    return target.split("#", 1)[0].split("?", 1)[0]


def _page_of(target: str) -> str:
    return without_format(without_query(target))


def _on_own_site(target: str) -> str:
    """A URL of this application as a stored path; any other address as it was sent."""
    base = get_settings().public_base_url
    if base is None or origin_parts(target) != origin_parts(base):
        return target
    parts = urlsplit(target)
    path = parts._replace(scheme="", netloc="", path=parts.path or "/").geturl()
    # Two slashes at the start would name another host.
    return target if path.startswith("//") else stored_path(path) or target
