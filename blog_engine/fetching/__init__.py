"""The guarded HTTP client: the only way of the engine to other servers (records.md section 9, dependencies.md 2.7)."""

from blog_engine.fetching.client import Fetched, fetch, fetch_headers
from blog_engine.fetching.urls import (
    NOTHING_FETCHED,
    REDIRECTS,
    Address,
    FetchRefused,
    Origin,
    Permits,
    any_address,
    is_public,
    origin_of,
    public_only,
)

__all__ = [
    "NOTHING_FETCHED",
    "REDIRECTS",
    "Address",
    "FetchRefused",
    "Fetched",
    "Origin",
    "Permits",
    "any_address",
    "fetch",
    "fetch_headers",
    "is_public",
    "origin_of",
    "public_only",
]
