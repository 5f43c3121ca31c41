"""The head of a page of cards, be there any or none (reader.md 13, 14)."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from blog_engine.addresses import Addresses
from blog_engine.reader.cards import Card
from blog_engine.reader.page import Crumb, Page, PageKind, default_social_image, full_title
from blog_engine.reader.structured_data import list_page


def collection_page(
    kind: PageKind,
    *,
    title: str,
    description: str,
    url: str,
    robots: str,
    here: Addresses,
    cards: Sequence[Card] = (),
    crumbs: tuple[Crumb, ...] = (),
    feeds_of: str = "",
) -> Page:
    """The head of the index, a list, a search or a dead end; ``title`` is without the suffix of the site.

    ``url`` is the canonical address, absolute.
    """
    name = full_title(title)
    entity = "Blog" if kind is PageKind.INDEX else "CollectionPage"
    return Page(
        kind=kind,
        title=name,
        description=description,
        canonical=url,
        robots=robots,
        social_image=default_social_image(here),
        crumbs=crumbs,
        feeds_of=feeds_of,
        main_entity=list_page(entity, name=name, description=description, url=url, cards=cards),
        here=here,
    )


def numbered(title: str, number: int) -> str:
    """The title of one page of several; the first has the plain one."""
    return title if number == 1 else _("%(title)s — Page %(number)d") % {"title": title, "number": number}
