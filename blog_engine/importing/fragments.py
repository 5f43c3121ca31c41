"""Links to headings of other posts of the import, which have other ids here."""

from typing import Final
from urllib.parse import quote, unquote

from blog_engine.importing.heading_ids import ids_of_markdown, is_of_heading
from blog_engine.importing.html.conversion import ids_of_html
from blog_engine.importing.source import SourcePost
from blog_engine.importing.spool import Spool

_SAFE: Final = "!$&'*+,;=:@/?-._~%"


def quoted_fragment(fragment: str) -> str:
    """Return a fragment that a source may have written with any characters."""
    return quote(fragment, safe=_SAFE)


class Fragments:
    """The ids of the headings of posts; those of a post are worked out for the first link to one of them."""

    def __init__(self, spool: Spool) -> None:
        self._spool = spool
        self._posts = spool.notes("post of path")
        self._ids = spool.notes("ids of headings")

    def add_post(self, path: str, post_id: int) -> None:
        """Note the post of the import that has a path here."""
        self._posts[path] = post_id

    def here(self, path: str, fragment: str) -> str | None:
        """Return the id here of the heading that a link to a page means, quoted; ``None`` if the post has none.

        What is no heading, and the places of pages that are no posts of the import, stay as they are.
        """
        name = unquote(fragment)
        post_id = self._posts.get(path) if is_of_heading(name) else None
        if post_id is None:
            return quoted_fragment(fragment)
        ids = self._ids.get(path)
        if ids is None:
            ids = self._ids[path] = _ids_of(self._spool.post(post_id))
        found = ids.get(name)
        return None if found is None else quote(found)


def _ids_of(post: SourcePost) -> dict[str, str]:
    if post.body_format == "html":
        return ids_of_html(post.body)
    return ids_of_markdown(post.body, post.former_ids)
