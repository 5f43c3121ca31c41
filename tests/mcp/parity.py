"""Calls of each tool and of the API that does the same, and what both must answer."""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from blog_engine.mcp.registry import TOOLS
from blog_engine.mcp.values import as_admitted
from tests.support.blogs import CONNECTIONS, OF_HARBOUR, OF_TIDE, REVIEW, TOMORROW, UPLOAD
from tests.support.clients import call_tool
from tests.support.databases import align_ids
from tests.support.factories import ARTICLE, DECLARATION, WHOLE
from tests.support.tables import everything_stored

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
    return {name: _as_text(value) for name, value in sent.items()}


def _as_text(value: Any) -> Any:
    if isinstance(value, list):
        return ",".join(value)
    return str(value).lower() if isinstance(value, bool) else value


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
    if "id" in arguments:
        return _at("PATCH", "/images/{}", key="id")(arguments)
    if "byte_size" in arguments:
        return ApiCall("POST", "/images/tickets", arguments)
    if "base64" not in arguments:
        return ApiCall("POST", "/images", arguments)
    content = base64.b64decode(arguments["base64"], validate=True)
    file = SimpleUploadedFile(arguments["filename"], content, arguments["content_type"])
    sent = {name: arguments[name] for name in ("credit", "digital_source_type") if name in arguments}
    return ApiCall("POST", "/images", {"file": file, **sent})


def _decides(verb: str, otherwise: Corresponding) -> Corresponding:
    """Return the decision on the proposal that is named, or the other call."""

    def call(arguments: Arguments) -> ApiCall:
        decision = _at("POST", f"/proposals/{{}}/{verb}", key="proposal")
        return decision(arguments) if "proposal" in arguments else otherwise(arguments)

    return call


def _lists(arguments: Arguments) -> ApiCall:
    sent = {name: value for name, value in arguments.items() if name != "images"}
    return ApiCall("GET", "/images" if arguments.get("images") else "/posts", sent)


_CORRESPONDING: Mapping[str, Corresponding] = {
    "list_posts": _lists,
    "search_posts": _at("GET", "/posts"),
    "get_post": _of_post("GET"),
    "get_post_records": _of_post("GET", "/records"),
    "check_post": _of_post("GET", "/findings"),
    "save_draft": _at("POST", "/posts", always={"publish": False}),
    "get_preview_link": _of_post("GET", "/preview"),
    "publish_post": _decides(
        "apply", _by_id(_at("POST", "/posts", always={"publish": True}), _of_post("POST", "/publish"))
    ),
    "update_post": _of_post("PATCH"),
    "correct_post": _corrects,
    "approve_revision": _of_post("POST", "/approvals"),
    "declare_connections": _of_post("POST", "/connections"),
    "unpublish_post": _of_post("POST", "/unpublish"),
    "remove_post": _decides("reject", _of_post("DELETE")),
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
    return _CORRESPONDING[tool.removeprefix("blog_")](dict(arguments))


_EVERYTHING = {
    "title": "Lamps",
    "description": "All about lamps.",
    "search_title": "Old lamps",
    "search_description": "Lamps of the harbour.",
    "body": "## Oil\n\nIt burns. \U0001f56f\n",
    "body_format": "markdown",
    "author": {"name": "Quay Press", "type": "organization", "url": "https://quay.example/"},
    "cover_image": {"image_id": 1},
    "cover_alt": "A lamp",
    "social_image": {"image_id": 1},
    "faq": [{"question": "Which oil?", "answer": "Whale, once."}],
    "category": "Light",
    "tags": ["Oil", "Été"],
    "series": "Tides",
    "series_position": 2,
    "featured": True,
    "canonical_url": "https://quay.example/lamps",
    "language": "pt-br",
    "translation_of": "fog",
    "slug": "lamps",
    "external_id": "lamps-1",
    "provenance": "human_written",
    "provenance_evidence": "Typed by hand.",
    "made_by_ai": False,
    "approval": REVIEW,
    "change": "maintenance",
    "change_description": "Nothing yet.",
    "note": "None.",
    "connections": CONNECTIONS,
    "publish_at": None,
}
"""A post write with many fields."""

POSTS: list[Case] = [
    succeeds("save_draft", "new with a title", title="Lamps"),
    succeeds("save_draft", "new with everything", **_EVERYTHING),
    succeeds("save_draft", "in short", title="Lamps", body="Oil.", answer="short"),
    refuses("save_draft", "in no extent", "validation_failed", ["answer"], title="Lamps", answer="brief"),
    succeeds("save_draft", "found by external_id", external_id="tide-1", body="High at one.", cover_image=None),
    succeeds("save_draft", "found by slug", slug="fog", tags=[]),
    succeeds("save_draft", "a scheduled one", slug="regatta", description="Ten."),
    refuses("save_draft", "a public one", "post_is_public", slug="harbour", body="New."),
    refuses(
        "save_draft", "two at once", "identity_conflict", ["slug", "external_id"], slug="fog", external_id="tide-1"
    ),
    refuses("save_draft", "a taken title", "identity_conflict", ["slug"], title="Fog"),
    refuses("save_draft", "a reserved slug", "slug_reserved", title="Feed", slug="feed"),
    refuses("save_draft", "an odd slug", "slug_not_supported", ["slug"], title="A", slug="Été !"),
    refuses(
        "save_draft",
        "several values",
        "validation_failed",
        ["title", "faq", "tags", "featured"],
        title=" ",
        tags="x",
        featured="yes",
        faq=[{"question": "Why?"}],
    ),
    refuses(
        "save_draft",
        "unknown names at two depths",
        "unknown_field",
        ["titel", "faq.questoin", "approval.nam"],
        titel="A",
        approval={"nam": "Rosa"},
        faq=[{"question": "Why?", "answer": "So.", "questoin": "x"}],
    ),
    refuses("save_draft", "half an approval", "approval_incomplete", title="A", approval={"name": "Rosa"}),
    refuses("save_draft", "another format", "body_format_not_permitted", title="A", body_format="rich_text"),
    refuses(
        "save_draft", "two images at once", "image_not_permitted", title="A", cover_image={"image_id": 1, "url": "x"}
    ),
    refuses("save_draft", "an image that is not there", "not_found", title="A", social_image={"image_id": 9}),
    refuses("save_draft", "without the scope", "scope_required", ["write"], scopes=("read", "publish"), title="A"),
    refuses(
        "save_draft", "an approval of a writer", "scope_required", ["publish"], ("write",), title="A", approval=REVIEW
    ),
    succeeds("publish_post", "a draft", id="fog"),
    succeeds(
        "publish_post", "a draft with a last edit", id=1, body="At one.", approval=REVIEW, provenance="ai_assisted"
    ),
    succeeds("publish_post", "later", id="fog", publish_at=TOMORROW),
    succeeds("publish_post", "a new one", **_EVERYTHING),
    succeeds("publish_post", "found by slug", slug="tide", approval=REVIEW | {"revision_identifier": OF_TIDE}),
    refuses("publish_post", "a change without its kind", "change_type_required", id="harbour", body="New."),
    refuses(
        "publish_post", "a correction without note", "correction_note_required", id=3, body="N.", change="correction"
    ),
    refuses(
        "publish_post",
        "the review of another revision",
        "revision_mismatch",
        id="fog",
        approval=REVIEW | {"revision_identifier": OF_TIDE},
    ),
    refuses("publish_post", "publish is its own", "unknown_field", ["publish"], id="fog", publish=True),
    refuses("publish_post", "without the scope", "scope_required", ["publish"], ("read", "write"), id="fog", titel="A"),
    refuses("publish_post", "unknown id", "not_found", id="nobody"),
    refuses("publish_post", "unknown proposal", "not_found", proposal=UNKNOWN_ID, publish_at=TOMORROW),
    refuses("remove_post", "a proposal without reason", "validation_failed", ["reason"], id="fog", proposal=1),
    refuses("remove_post", "unknown proposal", "not_found", id="fog", proposal=UNKNOWN_ID, reason="No."),
    refuses("get_post_records", "unknown proposal", "not_found", id="fog", proposal=UNKNOWN_ID),
    succeeds("list_posts", "with proposals", proposals="open"),
    succeeds("update_post", "a proposal", ("write",), id="harbour", propose=True, title="Port", change="maintenance"),
    refuses("update_post", "a proposal for a draft", "validation_failed", ["propose"], id="fog", propose=True),
    succeeds("correct_post", "a proposal", ("write",), id="regatta", propose=True, body="Two.", note="Not ten."),
    succeeds("update_post", "a draft by a writer", ("write",), id="tide", body="High at two."),
    succeeds("update_post", "a public post", id=3, body="Five ropes.", change="substantive", approval=REVIEW),
    succeeds("update_post", "nothing", id="harbour"),
    succeeds("update_post", "the slug of a public post", id="harbour", slug="port", change="maintenance"),
    succeeds("update_post", "an archived post", id="wreck", title="The wreck", change="maintenance"),
    refuses("update_post", "a change without its kind", "change_type_required", id="harbour", title="Port"),
    refuses("update_post", "a public post by a writer", "scope_required", ["publish"], ("read", "write"), id="harbour"),
    refuses(
        "update_post",
        "several values",
        "validation_failed",
        ["title", "series_position"],
        id=1,
        title="",
        series_position=0,
    ),
    refuses("update_post", "the time of a public post", "validation_failed", ["publish_at"], id=3, publish_at=TOMORROW),
    refuses("update_post", "unknown id", "not_found", id=UNKNOWN_ID, title="A"),
    succeeds("correct_post", "with a note", id="harbour", body="Five ropes.", note="There were five."),
    succeeds("correct_post", "with more text", id="harbour", edits=[{"append": "Six."}], note="There were six."),
    succeeds("correct_post", "as it says itself", id=3, note="There were five.", change="correction", faq=[]),
    refuses("correct_post", "without note", "correction_note_required", id="harbour", body="Five ropes."),
    refuses(
        "correct_post", "with a blank note", "correction_note_required", id="harbour", body="Five ropes.", note=" "
    ),
    refuses("correct_post", "by a writer", "scope_required", ["publish"], ("write",), id="harbour", note="Five."),
    succeeds("approve_revision", "a draft", id="tide", revision_identifier=OF_TIDE, **REVIEW),
    succeeds(
        "approve_revision", "a public post", id=3, revision_identifier=OF_HARBOUR, name="Mina", facts_checked=False
    ),
    refuses("approve_revision", "another one", "revision_mismatch", id="fog", revision_identifier=OF_TIDE, **REVIEW),
    refuses("approve_revision", "half", "approval_incomplete", id="tide", revision_identifier=OF_TIDE, name=" "),
    succeeds("declare_connections", "some", id="harbour", declared_on="2026-11-20", **CONNECTIONS),
    refuses(
        "declare_connections",
        "several values",
        "validation_failed",
        ["connections", "third_party_paid", "declared_by"],
        id="harbour",
        connections=[{"party": "A"}],
        third_party_paid=0,
    ),
    refuses("declare_connections", "by a writer", "scope_required", ["publish"], ("write",), id="tide", **CONNECTIONS),
    succeeds("unpublish_post", "a public post", id="harbour"),
    succeeds("unpublish_post", "a scheduled post", id="regatta"),
    refuses("unpublish_post", "unknown id", "not_found", id="nobody"),
    refuses("unpublish_post", "with a target", "unknown_field", ["redirect_to"], id="harbour", redirect_to="fog"),
    succeeds("remove_post", "a draft without a history", id="fog"),
    succeeds("remove_post", "a public post", id="harbour", redirect_to="night-ferry"),
    refuses(
        "remove_post", "to nowhere", "validation_failed", ["redirect_to"], id="harbour", redirect_to="nowhere at all"
    ),
    refuses("remove_post", "by a writer", "scope_required", ["publish"], ("read", "write"), id="harbour"),
]


READING: list[Case] = [
    succeeds("list_posts", "all"),
    succeeds("list_posts", "one by every filter", status="published", category="Garden", tag="ropes", author="1"),
    succeeds("list_posts", "words", q="rope", series="tides"),
    succeeds("list_posts", "a page in digits", page="2", per_page="2"),
    succeeds("list_posts", "a page in numbers", page=2, per_page=2),
    succeeds("list_posts", "past the end", page=9),
    refuses(
        "list_posts",
        "several values",
        "validation_failed",
        ["page", "per_page", "status"],
        status="public",
        per_page="x",
        page="0",
    ),
    succeeds("list_posts", "images", images=True),
    succeeds("list_posts", "unused images by name", images=True, unused=True, q="quay", per_page=1),
    succeeds("list_posts", "no images", images=False, q="rope"),
    refuses("list_posts", "unknown names", "unknown_field", ["staus", "title"], staus="draft", title="x"),
    refuses("list_posts", "without the scope", "scope_required", ["read"], scopes=("write", "publish"), staus="draft"),
    succeeds("search_posts", "words", q="rope"),
    succeeds("search_posts", "words of drafts", q="noon", status="draft", per_page=1),
    refuses("search_posts", "an unstorable word", "validation_failed", ["q"], q="\x00"),
    refuses("search_posts", "an unknown name", "unknown_field", ["id"], q="rope", id="1"),
    succeeds("get_post", "by its slug", id="harbour"),
    succeeds("get_post", "by its number", id=1),
    succeeds("get_post", "by its number in digits", id="4"),
    succeeds("get_post", "some fields", id="harbour", fields=["title", "tags"]),
    succeeds("get_post", "outline and a section", id="harbour", outline=True, section="ropes"),
    refuses("get_post", "an unknown key", "validation_failed", ["fields"], id="harbour", fields=["titel"]),
    refuses("get_post", "an unknown section", "validation_failed", ["section"], id="harbour", section="tar"),
    refuses("get_post", "unknown id", "not_found", id=UNKNOWN_ID),
    refuses("get_post", "with a field", "unknown_field", ["status"], id="harbour", status="draft"),
    succeeds("get_post_records", "of an adopted post", id="night-ferry"),
    succeeds("get_post_records", "of a post with everything", id=3),
    succeeds("get_post_records", "with the content of a draft", id="tide", revision="draft"),
    succeeds("get_post_records", "compared", id="day-ferry", compare="public..draft"),
    refuses("get_post_records", "what readers do not see", "not_found", id="tide", revision="public"),
    refuses("get_post_records", "another form", "validation_failed", ["compare"], id="tide", compare="draft"),
    refuses("get_post_records", "unknown id", "not_found", id="nobody"),
    succeeds("check_post", "of a public post", id="harbour"),
    succeeds("check_post", "of a draft", id="fog"),
    refuses("check_post", "without the scope", "scope_required", ["read"], scopes=("publish",), id="fog"),
    succeeds("get_preview_link", "of a draft", id="tide"),
    succeeds("get_preview_link", "of a scheduled post", id="regatta"),
    refuses("get_preview_link", "of a public post", "not_found", id="harbour"),
    succeeds("get_page_views", "of a post", id="harbour"),
    succeeds("get_page_views", "of some days", id=3, **{"from": "2026-10-01", "to": "2026-11-20"}),
    succeeds("get_page_views", "of the blog"),
    succeeds("get_page_views", "of the blog for long", days=60, limit="1"),
    refuses("get_page_views", "of no span", "validation_failed", ["from"], id=3, **{"from": "2026-11-30"}),
    refuses("get_page_views", "of wrong numbers", "validation_failed", ["days", "limit"], days="0", limit="1_0"),
    succeeds("get_surface_report", "of the site"),
    succeeds("get_surface_report", "of one post", scope="post", post="harbour"),
    succeeds("get_surface_report", "of all posts and crawlers", scope="all", page=1, reach=True),
    succeeds("get_surface_report", "with all results", scope="all", per_page=1, show="all"),
    succeeds("get_surface_report", "past the end", scope="all", page="9"),
    refuses("get_surface_report", "of no post", "validation_failed", ["post"], scope="post"),
    refuses("get_surface_report", "of a post and the site", "validation_failed", ["post"], post="harbour"),
    refuses("get_surface_report", "of a draft", "not_found", scope="post", post="tide"),
    refuses("get_surface_report", "of wrong words", "validation_failed", ["scope", "page"], scope="blog", page="0"),
    refuses("get_surface_report", "unknown names", "unknown_field", ["pages"], pages=1),
]


_LISTS = ["list_categories", "list_tags", "list_authors", "list_series", "list_redirects"]
_NO_IMAGE = {"base64": "bm8gaW1hZ2U=", "filename": "a.png", "content_type": "image/png"}
_FAQ = "Intro.\n\n## C#\n\nA note.\n\n## FAQ\n\n### Is tar safe?\n\nYes.\n"

LISTS: list[Case] = [
    case
    for tool in _LISTS
    for case in (
        succeeds(tool, "all"),
        succeeds(tool, "a page", page="1", per_page=1),
        refuses(tool, "several values", "validation_failed", ["page", "per_page"], per_page="1_0", page="-1"),
        refuses(tool, "an unknown name", "unknown_field", ["name"], name="x"),
        refuses(tool, "without the scope", "scope_required", ["read"], scopes=("write",), name="x"),
    )
]

RECORDS: list[Case] = [
    succeeds("save_category", "a new one", name="Été", description="Warm.", position=-3, slug=None),
    succeeds("save_category", "a stored one", id=1, name="Gardens", slug="gardens"),
    refuses("save_category", "a taken name", "validation_failed", ["name", "slug"], name="Garden"),
    refuses("save_category", "unknown id", "not_found", id=UNKNOWN_ID, position=1),
    refuses(
        "save_category", "several values", "validation_failed", ["name", "position"], id=1, position=2**31, name=" "
    ),
    refuses("save_category", "an unknown name", "unknown_field", ["titel"], name="A", titel="B"),
    refuses("save_category", "without the scope", "scope_required", ["write"], ("read", "publish"), titel="B"),
    succeeds("save_author", "a new one", name="Zoë", type="organization", profile_urls=["https://a.example/z"]),
    succeeds("save_author", "a stored one", id=1, bio="Harbour master.", avatar={"image_id": 1}, url=None),
    refuses("save_author", "a new one without name", "validation_failed", ["name"], bio="Somebody."),
    refuses("save_author", "an image that is not there", "not_found", id=1, avatar={"image_id": UNKNOWN_ID}),
    refuses("save_author", "unknown id", "not_found", id=UNKNOWN_ID, name="A"),
    succeeds("save_series", "a new one", name="Ropes", description="Four tests."),
    succeeds("save_series", "a stored one", id=1, description="High and low."),
    refuses("save_series", "with a position", "unknown_field", ["position"], id=1, position=2),
    refuses("save_series", "an odd slug", "validation_failed", ["slug"], id=1, slug="No slug"),
    succeeds("save_redirect", "a removal", old_path="/gone", occurred_on="2026-11-02"),
    succeeds("save_redirect", "a move to a post", old_path="/blog/quay", new_path="harbour", post_id=3),
    refuses("save_redirect", "the path of a post", "slug_reserved", old_path="/blog/harbour", new_path="/x"),
    refuses(
        "save_redirect",
        "several values",
        "validation_failed",
        ["old_path", "occurred_on"],
        old_path="x",
        occurred_on="1",
    ),
    refuses("save_redirect", "by a writer", "scope_required", ["publish"], ("read", "write"), old_path="/gone"),
    succeeds("get_site_page", "one", kind="corrections"),
    refuses("get_site_page", "a house style that is not there", "not_found", kind="house_style"),
    refuses("get_site_page", "one that is not there", "not_found", kind="ai_use"),
    refuses("get_site_page", "an unknown kind", "not_found", kind="correction"),
    succeeds("save_site_page", "a new draft", ("write",), kind="ai_use", title="AI", body="We say where."),
    succeeds("save_site_page", "a public one", kind="corrections", approved_by="Rosa", slug="mistakes"),
    refuses(
        "save_site_page", "a public one by a writer", "scope_required", ["publish"], ("write",), kind="corrections"
    ),
    refuses("save_site_page", "a new one without title", "validation_failed", ["title"], kind="editorial"),
    refuses("save_site_page", "an unknown kind", "validation_failed", ["kind"], kind="terms", title="A", body="B"),
    succeeds("upload_image", "new bytes", **UPLOAD),
    succeeds("upload_image", "of somebody", **UPLOAD, credit="Rosa", digital_source_type="digitalCapture"),
    succeeds("upload_image", "a stored one", id=1, credit="Rosa", digital_source_type=None),
    refuses("upload_image", "unknown id", "not_found", id=UNKNOWN_ID, credit="Rosa"),
    refuses(
        "upload_image", "an unknown term", "validation_failed", ["digital_source_type"], id=1, digital_source_type="x"
    ),
    succeeds("upload_image", "by ticket", filename="a.png", content_type="image/png", byte_size=68, sha256="0" * 64),
    refuses(
        "upload_image", "a type", "image_not_permitted", filename="a.svg", content_type="image/svg+xml", byte_size=68
    ),
    refuses("upload_image", "no size", "image_not_permitted", filename="a.png", content_type="image/png", byte_size=0),
    refuses("upload_image", "bytes of no image", "image_not_permitted", **_NO_IMAGE),
    refuses("upload_image", "from nowhere", "image_not_permitted", url="http://127.0.0.1:1/x.png"),
    refuses("upload_image", "without the scope", "scope_required", ["write"], ("read", "publish"), url="x"),
    succeeds("doctor", "all"),
    refuses("doctor", "an unknown name", "unknown_field", ["checks"], checks="Route"),
    refuses("doctor", "without the scope", "scope_required", ["read"], scopes=("write", "publish")),
    succeeds("extract_faq", "a section", body=_FAQ),
    succeeds("extract_faq", "a question by itself", body=_FAQ, standalone_questions=["C#"]),
    refuses(
        "extract_faq",
        "a missing body",
        "validation_failed",
        ["body", "standalone_questions"],
        standalone_questions="C#",
    ),
    succeeds("adopt_post", "with everything", **WHOLE | {"source_id": "19", "slug": "boats"}),
    succeeds("adopt_post", "to see what would be", **ARTICLE, dry_run=True),
    succeeds("adopt_post", "again with a declaration", **ARTICLE, declaration=DECLARATION, tags=["Sea"]),
    refuses(
        "adopt_post",
        "one that was changed here",
        "already_changed_in_gem",
        **ARTICLE | {"source_id": "18", "slug": "day-ferry"},
    ),
    refuses(
        "adopt_post",
        "over a stored post",
        "identity_conflict",
        ["slug"],
        **ARTICLE | {"source_id": "20", "slug": "tide"},
    ),
    refuses("adopt_post", "with an approval", "unknown_field", ["approval"], **ARTICLE, approval=REVIEW),
    refuses(
        "adopt_post",
        "half a declaration",
        "approval_incomplete",
        **ARTICLE,
        declaration=DECLARATION | {"reviewer_name": " "},
    ),
    refuses(
        "adopt_post",
        "several values",
        "validation_failed",
        ["title", "old_slugs.moved_on", "connections.declared_by"],
        **ARTICLE | {"title": None, "old_slugs": [{"slug": "boat", "moved_on": "then"}]},
        connections=CONNECTIONS | {"declared_by": 3},
    ),
    refuses("adopt_post", "by a writer", "scope_required", ["publish"], ("read", "write"), **ARTICLE),
]


CASES: list[Case] = [*READING, *POSTS, *LISTS, *RECORDS]
SUCCESSES = [case for case in CASES if case.refusal is None]
REFUSALS = [case for case in CASES if case.refusal is not None]


_KEYS = {"id", "kind"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a call, and what is stored afterwards."""

    answer: dict[str, Any]
    is_refusal: bool
    stored: dict[str, Any]


def by_tool(client: Client, tool: str, arguments: Arguments) -> Outcome:
    """Return the outcome of the tool, and check that its text block repeats the answer."""
    align_ids()
    result = call_tool(client, tool, arguments)
    answer = result["structuredContent"]
    assert result == {
        "content": [{"type": "text", "text": json.dumps(answer, ensure_ascii=False, separators=(",", ":"))}],
        "structuredContent": answer,
        "isError": "error" in answer,
    }
    return Outcome(_comparable(answer, tool, arguments), result["isError"], everything_stored())


def by_api(client: Client, tool: str, arguments: Arguments) -> Outcome:
    """Return the outcome of the API call."""
    if isinstance(arguments.get("id"), str):
        # Tools take an id with spaces around it.
        arguments = {**arguments, "id": arguments["id"].strip()}
    align_ids()
    response = corresponding(tool, as_admitted(arguments, TOOLS[tool]._input_schema)).by(client)
    answer = json.loads(response.content) if response.content else {}
    assert (response.status_code == 204) == (not response.content)
    return Outcome(_comparable(answer, tool, arguments), response.status_code >= 400, everything_stored())


def _comparable(answer: dict[str, Any], tool: str, arguments: Arguments) -> dict[str, Any]:
    """Return the answer without what differs between tools and API.

    The list of known fields that accompanies an unknown one differs where the API has a key in its path, and where the
    tool sets ``publish``. Tools show differences by words, and take images in other ways.
    """
    for inner in (answer, answer.get("proposal", {})):
        if "difference" in inner:
            inner["difference"] = bool(inner["difference"])
    error = answer.get("error", {})
    takes_others = tool in {"blog_save_draft", "blog_publish_post"} or not arguments.keys().isdisjoint(_KEYS)
    if (error.get("code") == "unknown_field" and takes_others) or (
        error.get("code") == "image_not_permitted" and tool == "blog_upload_image"
    ):
        return {"error": error | {"message": ...}}
    return answer
