"""Pages that browsers may keep but must ask about again (reader.md 1.5, decisions.md 3.17)."""

import hashlib

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers

MUST_ASK_AGAIN = "max-age=0, private, must-revalidate"


def revalidated(request: HttpRequest, response: HttpResponse) -> HttpResponseBase:
    """The page with its validator, or 304 when the browser has this very page.

    The tag is a digest of the whole page, so that nothing visible can change without it. Other answers than 200
    get no tag.
    """
    response.headers["Cache-Control"] = MUST_ASK_AGAIN
    # A host's parent_controller, layout or context processors may show who is signed in.
    patch_vary_headers(response, ["Cookie"])
    if response.status_code != 200:
        return response
    tag = f'W/"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    response.headers["ETag"] = tag
    return get_conditional_response(request, etag=tag, response=response) or response
