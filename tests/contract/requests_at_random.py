"""Random requests, valid, nearly valid or garbage, from a seed: one generator for each operation."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import quote

from tests.contract.fields_at_random import (
    ADOPTION,
    APPROVAL,
    AUTHOR,
    CATEGORY,
    CONNECTIONS,
    FAQ_EXTRACTION,
    KIND,
    PAGE,
    PAGED,
    POST,
    POSTS,
    REDIRECT,
    REMOVAL,
    REPORT,
    SERIES,
    TOP,
    UPLOAD,
    VIEWS,
)
from tests.contract.uploads_at_random import upload
from tests.contract.values import RAW, Chance, Known, Make, spoiled

API = "/blog/api/v1"

_OTHER_TYPES = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "a/b; charset=x"]
_STRANGE_KEYS = [
    *("0", "999999", "9" * 25, "nope", "alpha", "%00", "%ff", "a%2Fb", "..", "%D9%A3", "-1", "%0A", "1_0", "1.0", "+1"),
    *("x" * 300, "%25", "1%20"),
]


@dataclass
class Request:
    """One request to the API."""

    method: str
    path: str
    body: bytes = b""
    content_type: str = ""


Generator: TypeAlias = Callable[[Chance, Known], Request]


def _sends(
    method: str,
    at: str,
    fields: dict[str, Make] | None = None,
    *,
    always: Iterable[str] = (),
    often: float | None = None,
) -> Generator:
    """Yield requests with some of these fields; placeholders in the path are filled in."""

    def generate(chance: Chance, known: Known) -> Request:
        known.is_tidy = chance.random() < 0.4
        share = often or chance.choice([0.02, 0.08, 0.25])
        kept = set(always) if known.is_tidy or chance.random() < 0.95 else set()
        names = [name for name in fields or {} if name in kept or chance.random() < share]
        sent: Any = {name: (fields or {})[name](chance, known) for name in names}
        address, body, content_type = _address(chance, known, at), json.dumps(sent).encode(), "application/json"
        if known.is_tidy:
            return Request(method, address, body, content_type)
        if chance.random() < 0.2:
            body = json.dumps(spoiled(chance, sent)).encode()
        elif chance.random() < 0.05:
            body = chance.choice(RAW)
        elif chance.random() < 0.03:
            content_type = chance.choice(_OTHER_TYPES)
        return Request(method, address + _query(chance, known, POSTS, 0.05), body, content_type)

    return generate


def _asks(at: str, fields: dict[str, Make] | None = None) -> Generator:
    """Yield GET requests with some of these query parameters, sometimes with others."""

    def generate(chance: Chance, known: Known) -> Request:
        known.is_tidy = chance.random() < 0.4
        method = "HEAD" if chance.random() < 0.05 else "GET"
        query = _query(chance, known, fields, 0.9) if fields else ""
        return Request(method, _address(chance, known, at) + (query or _query(chance, known, POSTS | TOP, 0.05)))

    return generate


def _uploads(chance: Chance, known: Known) -> Request:
    if chance.random() < 0.25:
        return _sends("POST", "/images", UPLOAD, always=["url"])(chance, known)
    body, content_type = upload(chance)
    return Request("POST", f"{API}/images" + _query(chance, known, UPLOAD, 0.02), body, content_type)


GENERATORS: dict[str, Generator] = {
    "list_posts": _asks("/posts", POSTS),
    "get_post": _asks("/posts/{post}"),
    "save_post": _sends("POST", "/posts", POST, always=["title"]),
    "update_post": _sends("PATCH", "/posts/{post}", {name: POST[name] for name in POST if name != "publish"}),
    "remove_post": _sends("DELETE", "/posts/{post}", REMOVAL, often=0.6),
    "publish_post": _sends("POST", "/posts/{post}/publish", {name: POST[name] for name in POST if name != "publish"}),
    "unpublish_post": _sends("POST", "/posts/{post}/unpublish"),
    "approve_revision": _sends("POST", "/posts/{post}/approvals", APPROVAL, always=APPROVAL),
    "declare_connections": _sends("POST", "/posts/{post}/connections", CONNECTIONS, always=CONNECTIONS),
    "get_post_records": _asks("/posts/{post}/records"),
    "check_post": _asks("/posts/{post}/findings"),
    "get_preview_link": _asks("/posts/{post}/preview"),
    "get_post_views": _asks("/posts/{post}/views", VIEWS),
    "adopt_post": _sends(
        "POST",
        "/adoptions",
        ADOPTION,
        always=["source_system", "source_id", "slug", "title", "body_format", "body", "provenance"],
    ),
    "upload_image": _uploads,
    "list_categories": _asks("/categories", PAGED),
    "create_category": _sends("POST", "/categories", CATEGORY, always=["name"], often=0.4),
    "update_category": _sends("PATCH", "/categories/{categories}", CATEGORY, often=0.4),
    "list_tags": _asks("/tags", PAGED),
    "list_authors": _asks("/authors", PAGED),
    "create_author": _sends("POST", "/authors", AUTHOR, always=["name"]),
    "update_author": _sends("PATCH", "/authors/{authors}", AUTHOR),
    "list_series": _asks("/series", PAGED),
    "create_series": _sends("POST", "/series", SERIES, always=["name"], often=0.4),
    "update_series": _sends("PATCH", "/series/{series}", SERIES, often=0.4),
    "list_redirects": _asks("/redirects", PAGED),
    "save_redirect": _sends("POST", "/redirects", REDIRECT, always=["old_path"], often=0.5),
    "delete_redirect": _sends("DELETE", "/redirects/{redirects}"),
    "list_pages": _asks("/pages", PAGED),
    "get_page": _asks("/pages/{kind}"),
    "save_page": _sends("PUT", "/pages/{kind}", PAGE, always=["title", "body"], often=0.4),
    "extract_faq": _sends("POST", "/faq_extractions", FAQ_EXTRACTION, always=["body"], often=0.4),
    "get_top_views": _asks("/views/top", TOP),
    "get_surface_report": _asks("/report", REPORT),
    "doctor": _asks("/doctor"),
}
"""The generators by name of the operation."""

_OFTEN = {"save_post": 12, "update_post": 8, "publish_post": 5, "adopt_post": 9, "save_redirect": 8, "upload_image": 6}
_WEIGHTS = [_OFTEN.get(name, 2) for name in GENERATORS]


def random_request(chance: Chance, known: Known) -> tuple[str, Request]:
    """Return a request and the name of its operation, ``""`` for none."""
    if chance.random() < 0.05:
        return "", _nonsense(chance, known)
    (name,) = chance.choices(list(GENERATORS), _WEIGHTS)
    return name, GENERATORS[name](chance, known)


def _address(chance: Chance, known: Known, at: str) -> str:
    for place in ("categories", "authors", "series", "redirects"):
        at = at.replace(f"{{{place}}}", _key(chance, [str(known.id_of(chance, place))]))
    at = at.replace("{post}", _key(chance, known.posts)).replace("{kind}", KIND(chance, known))
    return API + at + ("/" if chance.random() < 0.03 else "")


def _key(chance: Chance, keys: list[str]) -> str:
    return chance.choice(_STRANGE_KEYS) if not keys or chance.random() < 0.06 else chance.choice(keys)


def _query(chance: Chance, known: Known, fields: dict[str, Make], often: float) -> str:
    if chance.random() > often:
        return ""
    pairs = [(name, make(chance, known)) for name, make in fields.items() if chance.random() < 0.3]
    if chance.random() < 0.05:
        pairs.append(
            chance.choice([("format", "json"), ("page", "1"), ("q[]", "x"), ("", ""), ("id", "2"), ("\x00", "x")])
        )
    texts = [(name, value) for name, value in pairs if isinstance(value, str)]
    return "?" + "&".join(f"{quote(name)}={quote(value, errors='replace')}" for name, value in texts) if texts else ""


def _nonsense(chance: Chance, known: Known) -> Request:
    method = chance.choice(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO"])
    places = [
        *("", "/", "/posts", "/posts/", "//posts", "/posts//", "/nope", f"/posts/{_key(chance, known.posts)}/nope"),
        *(
            "/images/1",
            "/pages",
            "/pages/ai_use",
            "/tags/1",
            "/views",
            "/adoptions/1",
            "/schema",
            "/doctor/x",
            "/redirects",
        ),
    ]
    return Request(
        method, API + chance.choice(places), chance.choice(RAW), chance.choice(["application/json", "", "a/b"])
    )
