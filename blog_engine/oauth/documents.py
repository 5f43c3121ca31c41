"""Client ID Metadata Documents: what a client says of itself at the URL that is its ``client_id``."""

import re
from typing import Any, Final

from oauth2_provider.cimd import CIMDError

from blog_engine.errors import Refusal
from blog_engine.fetching.client import fetch
from blog_engine.fetching.urls import FetchRefused
from blog_engine.http.requests import read_json
from blog_engine.oauth.redirects import list_fault

USER_AGENT: Final = "blog_engine (OAuth client metadata)"
_MOST_BYTES: Final = 16 * 1024
_SECONDS: Final = 5.0
_LEAST_AGE: Final = 300
_GREATEST_AGE: Final = 86_400
_LONGEST_ID: Final = 255
_CLIENT_ID: Final = re.compile(r"https://[^/?#@\\\s]+/[^#\\\s]*", re.ASCII)
_DOT_SEGMENT: Final = re.compile(r"/\.{1,2}(?:/|\Z)")
_JSON: Final = re.compile(r"application/(?:[\w.+-]+\+)?json\s*(?:;.*)?", re.IGNORECASE)
_MAX_AGE: Final = re.compile(r"max-age\s*=\s*([0-9]{1,9})", re.IGNORECASE)


class GuardedFetcher:
    """Fetches a document as the engine fetches everything: public hosts only, no redirects, bounded."""

    def fetch(self, client_id: str) -> tuple[dict[str, Any], int]:
        """Return the document and the seconds for which it is kept. Raises ``CIMDError``."""
        path = client_id.partition("?")[0].removeprefix("https:/")
        if len(client_id) > _LONGEST_ID or not _CLIENT_ID.fullmatch(client_id) or _DOT_SEGMENT.search(path):
            raise CIMDError("client_id is not the URL of a document")
        try:
            answer = fetch(client_id, limit=_MOST_BYTES, seconds=_SECONDS, redirects=0, user_agent=USER_AGENT)
            if answer.status != 200 or not _JSON.fullmatch(answer.headers.get("content-type", "")):
                raise CIMDError("client_id does not answer with JSON")
            document = read_json(answer.body)
        except (FetchRefused, Refusal) as fault:
            raise CIMDError("client_id cannot be fetched, or is no valid JSON") from fault
        if not isinstance(document, dict) or list_fault(document.get("redirect_uris")) is not None:
            raise CIMDError("the document is not that of a client with usable redirect_uris")
        return document, _age(answer.headers.get("cache-control", ""))


def _age(cache_control: str) -> int:
    if "no-store" in cache_control.lower() or "no-cache" in cache_control.lower():
        return _LEAST_AGE
    sent = _MAX_AGE.search(cache_control)
    return max(_LEAST_AGE, min(int(sent[1]), _GREATEST_AGE)) if sent else _GREATEST_AGE


class SignedInOnly:
    """Lets a document be fetched at the request of a person who signed in, not of anybody who asks for a token."""

    def has_permission(self, request: Any, client_id: str) -> bool:
        """Return whether the request is the one that the consent page makes (``AuthorizationServer``)."""
        return bool(request.http_method == "GET")
