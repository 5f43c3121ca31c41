"""A call of a tool, and the corresponding call of the API."""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

API = "/blog/api/v1"
ALL = ("read", "write", "publish")
UNKNOWN_ID = 999_999
"""An id that no row has."""

Arguments: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A call of a tool on the small blog, and the code and details of its refusal, if any."""

    tool: str
    what: str
    arguments: Arguments
    refusal: tuple[str, list[str]] | None = None
    scopes: tuple[str, ...] = ALL


def succeeds(tool: str, what: str, /, scopes: tuple[str, ...] = ALL, **arguments: Any) -> Case:
    """Return a case that succeeds."""
    return Case(f"blog_{tool}", what, arguments, scopes=scopes)


def refuses(
    tool: str, what: str, code: str, details: list[str] | None = None, /, scopes: tuple[str, ...] = ALL, **sent: Any
) -> Case:
    """Return a case that is refused."""
    return Case(f"blog_{tool}", what, sent, (code, details or []), scopes)


@dataclass(frozen=True, slots=True)
class ApiCall:
    """A request to the API; ``sent`` is the query of a GET, otherwise the body."""

    method: str
    path: str
    sent: Arguments = field(default_factory=dict)

    def by(self, client: Client) -> HttpResponse:
        """Send the request and return the response; a file is sent as a form."""
        path = API + self.path
        if self.method == "GET":
            return client.get(f"{path}?{urlencode(_in_query(self.sent))}" if self.sent else path)
        if "file" in self.sent:
            return client.post(path, self.sent)
        return client.generic(self.method, path, json.dumps(self.sent), content_type="application/json")


def _in_query(sent: Arguments) -> dict[str, Any]:
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in sent.items()}


Corresponding: TypeAlias = Callable[[Arguments], ApiCall]


def _at(method: str, path: str, *, key: str = "", always: Arguments | None = None) -> Corresponding:
    """Return the call of a path whose placeholder, if any, is filled with the argument ``key``."""

    def call(arguments: Arguments) -> ApiCall:
        sent = {name: value for name, value in arguments.items() if name != key} | (always or {})
        return ApiCall(method, path.format(_in_path(arguments[key])) if key else path, sent)

    return call


def _in_path(key: object) -> str:
    return quote(str(key), safe="")


def _of_post(method: str, rest: str = "") -> Corresponding:
    return _at(method, "/posts/{}" + rest, key="id")


def _by_id(without: Corresponding, with_id: Corresponding) -> Corresponding:
    """Return the call with an id, or the one without; null counts as no id."""

    def call(arguments: Arguments) -> ApiCall:
        if arguments.get("id") is not None:
            return with_id(arguments)
        return without({name: value for name, value in arguments.items() if name != "id"})

    return call


def _saves(path: str) -> Corresponding:
    return _by_id(_at("POST", path), _at("PATCH", path + "/{}", key="id"))


def _corrects(arguments: Arguments) -> ApiCall:
    return _of_post("PATCH")({"change": "correction", **arguments})


def _uploads(arguments: Arguments) -> ApiCall:
    if "base64" not in arguments:
        return ApiCall("POST", "/images", arguments)
    content = base64.b64decode(arguments["base64"], validate=True)
    file = SimpleUploadedFile(arguments["filename"], content, arguments["content_type"])
    return ApiCall("POST", "/images", {"file": file})


_CORRESPONDING: Mapping[str, Corresponding] = {
    "list_posts": _at("GET", "/posts"),
    "search_posts": _at("GET", "/posts"),
    "get_post": _of_post("GET"),
    "get_post_records": _of_post("GET", "/records"),
    "check_post": _of_post("GET", "/findings"),
    "save_draft": _at("POST", "/posts", always={"publish": False}),
    "get_preview_link": _of_post("GET", "/preview"),
    "publish_post": _by_id(_at("POST", "/posts", always={"publish": True}), _of_post("POST", "/publish")),
    "update_post": _of_post("PATCH"),
    "correct_post": _corrects,
    "approve_revision": _of_post("POST", "/approvals"),
    "declare_connections": _of_post("POST", "/connections"),
    "unpublish_post": _of_post("POST", "/unpublish"),
    "remove_post": _of_post("DELETE"),
    "upload_image": _uploads,
    "list_categories": _at("GET", "/categories"),
    "save_category": _saves("/categories"),
    "list_tags": _at("GET", "/tags"),
    "list_authors": _at("GET", "/authors"),
    "save_author": _saves("/authors"),
    "list_series": _at("GET", "/series"),
    "save_series": _saves("/series"),
    "list_redirects": _at("GET", "/redirects"),
    "save_redirect": _at("POST", "/redirects"),
    "get_site_page": _at("GET", "/pages/{}", key="kind"),
    "save_site_page": _at("PUT", "/pages/{}", key="kind"),
    "get_page_views": _by_id(_at("GET", "/views/top"), _of_post("GET", "/views")),
    "doctor": _at("GET", "/doctor"),
    "get_surface_report": _at("GET", "/report"),
    "extract_faq": _at("POST", "/faq_extractions"),
    "adopt_post": _at("POST", "/adoptions"),
}


def corresponding(tool: str, arguments: Arguments) -> ApiCall:
    """Return the API call that corresponds to a call of the tool."""
    return _CORRESPONDING[tool.removeprefix("blog_")](arguments)
