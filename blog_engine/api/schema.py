"""The view of the OpenAPI document, and that of unknown paths."""

import json
from collections.abc import Callable
from functools import lru_cache

import yaml
from django.http import HttpRequest, HttpResponse

from blog_engine.api.bodies import read_input
from blog_engine.api.openapi.document import openapi_document
from blog_engine.api.openapi.endpoints import endpoints_of
from blog_engine.api.viewsets import EngineRouter
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.errors import MethodNotAllowed, NotFound
from blog_engine.http.origins import shared_with_origins
from blog_engine.http.responses import exempt_from_host_rules, refuse, refuse_fault
from blog_engine.inputs.base import parse
from blog_engine.inputs.reports import GetSchema
from blog_engine.operations.schema import Schema

_METHODS = ("GET", "HEAD")
_TYPES = {"json": "application/json", "yaml": "application/yaml"}


class _Dumper(yaml.SafeDumper):
    """Writes texts of any class, such as descriptions."""


_Dumper.add_multi_representer(str, yaml.SafeDumper.represent_str)


def schema_view(router: EngineRouter) -> Callable[[HttpRequest], HttpResponse]:
    """Return a view of the OpenAPI document of a router; it needs no token and is not rate limited."""

    @lru_cache(maxsize=4)
    def document(body_formats: tuple[str, ...]) -> Schema:
        return openapi_document(endpoints_of(router), body_formats=body_formats)

    # Writing YAML takes a quarter of a second, and the view is not rate limited.
    @lru_cache(maxsize=16)
    def text(server: str, form: str, body_formats: tuple[str, ...]) -> str:
        shown = {**document(body_formats), "servers": [{"url": server}]}
        if form == "json":
            return json.dumps(shown, ensure_ascii=False)
        return yaml.dump(shown, Dumper=_Dumper, allow_unicode=True, sort_keys=False)

    @exempt_from_host_rules
    @shared_with_origins
    def view(request: HttpRequest) -> HttpResponse:
        try:
            if request.method not in _METHODS:
                raise MethodNotAllowed(_METHODS)
            form = parse(GetSchema, read_input(request)).format
            # Without public_base_url it is a path: a forged Host must not appear in the document.
            server = BlogURLs.on(get_settings().public_base_url or "").api_url()
            written = text(server, form, tuple(get_settings().body_formats))
        except Exception as fault:
            return refuse_fault(fault, request)
        return HttpResponse(written, content_type=_TYPES[form], headers={"Cache-Control": "no-store"})

    return view


@exempt_from_host_rules
@shared_with_origins
def unknown_path(request: HttpRequest) -> HttpResponse:
    """Return 404 in the error envelope, for any method and without authentication."""
    return refuse(NotFound())
