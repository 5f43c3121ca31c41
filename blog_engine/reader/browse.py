"""Base of the archive, the directories and the page about the feeds."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import ListKind
from blog_engine.reader.page import FOLLOWED, Crumb, Page, PageKind, collection_page, index_crumb

ARCHIVE_NAME: Final = pgettext_lazy("blog", "Archive")
DIRECTORY_NAMES: Final[dict[ListKind, str | Promise]] = {
    ListKind.CATEGORY: pgettext_lazy("blog", "Categories"),
    ListKind.TAG: pgettext_lazy("blog", "Tags"),
    ListKind.AUTHOR: pgettext_lazy("blog", "Authors"),
    ListKind.SERIES: pgettext_lazy("blog", "Series"),
}


class BrowseLink(NamedTuple):
    """The link to the archive or to a directory."""

    name: str | Promise
    path: str
    is_current: bool
    """Whether it leads to this page, or to the start of the pages that this one belongs to."""


def browse_links(urls: BlogURLs, *, current: str) -> tuple[BrowseLink, ...]:
    """Return the links to the archive and the directories; ``current`` is the path of one of them."""
    directories = ((name, urls.directory_path(kind)) for kind, name in DIRECTORY_NAMES.items())
    pages = [(ARCHIVE_NAME, urls.archive_path()), *directories]
    return tuple(BrowseLink(name, path, is_current=path == current) for name, path in pages)


def browse_page(
    kind: PageKind,
    *,
    title: str,
    description: str,
    path: str,
    entries: Iterable[tuple[str, str]],
    crumbs: Iterable[Crumb],
    urls: BlogURLs,
) -> Page:
    """Return the head of such a page at a path; ``entries`` are the names and paths of what it lists."""
    page = collection_page(
        kind,
        title=title,
        description=description,
        url=urls.absolute(path),
        robots=FOLLOWED,
        crumbs=(index_crumb(urls), *crumbs),
        urls=urls,
    )
    items = [
        {"@type": "ListItem", "position": position, "url": urls.absolute(path), "name": name}
        for position, (name, path) in enumerate(entries, start=1)
    ]
    listed = {"mainEntity": {"@type": "ItemList", "itemListElement": items}} if items else {}
    return replace(page, main_entity=page.main_entity | listed)
