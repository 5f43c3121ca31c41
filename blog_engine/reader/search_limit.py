"""How often one address may search, on the page and in suggestions together (reader.md 6)."""

from django.http import HttpRequest

from blog_engine.access.rate_limit import client_address, count
from blog_engine.conf import get_settings
from blog_engine.errors import Unavailable

_SEARCHES = "blog_engine.searches"


def count_search(request: HttpRequest) -> None:
    """Count a search, whatever was asked; raise ``RateLimited`` past ``search_rate_limit``.

    Without a cache nothing is counted: reading goes on (decisions.md 9.12).
    """
    rate = get_settings().search_rate_limit
    try:
        usage = count(request, group=_SEARCHES, key=client_address(request), rate=rate)
    except Unavailable:
        return
    if usage is not None:
        usage.refuse_excess()
