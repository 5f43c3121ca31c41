"""The guarded HTTP client: the only way that the engine connects to other servers."""

from blog_engine.fetching.client import Fetched, fetch, fetch_headers, post
from blog_engine.fetching.urls import (
    NOTHING_FETCHED,
    REDIRECTS,
    TOO_LARGE,
    FetchRefused,
    IPAddress,
    Origin,
    Permits,
    any_address,
    is_public,
    public_only,
    url_origin,
)

__all__ = [
    "NOTHING_FETCHED",
    "REDIRECTS",
    "TOO_LARGE",
    "FetchRefused",
    "Fetched",
    "IPAddress",
    "Origin",
    "Permits",
    "any_address",
    "fetch",
    "fetch_headers",
    "is_public",
    "post",
    "public_only",
    "url_origin",
]
