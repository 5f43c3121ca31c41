"""Cases of the other tools, at least one success and one refusal of each."""

from tests.mcp.parity_case import UNKNOWN_ID, Case, refuses, succeeds
from tests.mcp.small_blog import CONNECTIONS, REVIEW, UPLOAD
from tests.support.factories import ARTICLE, DECLARATION, WHOLE

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
