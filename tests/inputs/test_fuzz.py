"""Whatever JSON comes, an input is read or refused; nothing else happens."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blog_engine.errors import Refusal
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.base import Input, parse
from blog_engine.inputs.hints import fields_as_sent
from blog_engine.inputs.posts import ApproveRevision, DeclareConnections, ListPosts, RemovePost, SavePost, UpdatePost
from blog_engine.inputs.records import (
    CreateAuthor,
    CreateCategory,
    CreateSeries,
    PageRef,
    SavePage,
    SaveRedirect,
    UpdateAuthor,
    UpdateCategory,
    UpdateSeries,
)
from blog_engine.inputs.reports import ExtractFaq, TopViews, ViewsOfPost

pytestmark = pytest.mark.heavy

MODELS: list[type[Input]] = [
    AdoptPost,
    SavePost,
    UpdatePost,
    RemovePost,
    ListPosts,
    ApproveRevision,
    DeclareConnections,
    *(CreateCategory, UpdateCategory, CreateSeries, UpdateSeries, CreateAuthor, UpdateAuthor),
    *(SaveRedirect, SavePage, PageRef),
    *(ExtractFaq, ViewsOfPost, TopViews),
]
CODES = {
    *("unknown_field", "validation_failed", "slug_not_supported", "approval_incomplete"),
    *("image_not_permitted", "body_format_not_permitted", "not_found"),
}
NESTED_NAMES = sorted(
    [
        "name",
        "type",
        "url",
        "image_id",
        "signed_id",
        "question",
        "answer",
        "facts_checked",
        "revision_identifier",
        "connections",
        "party",
        "relation",
        "third_party_paid",
        "declared_by",
        "declared_on",
        "slug",
        "moved_on",
        "reviewer_name",
        "approved_at",
        "declared_first_published_at",
    ]
)

texts = st.text(max_size=20) | st.sampled_from(
    ["", " ", "\x00", "\ud800", "person", "markdown", "draft", "2030-01-31", "2030-01-31T09:00:00Z", "/a", "a", "1"]
)
scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | texts
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(NESTED_NAMES) | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=12,
)


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_any_value_of_any_field_is_read_or_refused(model: type[Input], data: st.DataObject) -> None:
    names = st.sampled_from(sorted(fields_as_sent(model))) | st.text(max_size=5)
    raw = data.draw(st.dictionaries(names, values, max_size=4))

    try:
        read = parse(model, raw)
    except Refusal as refusal:
        assert refusal.code in CODES
        assert json.loads(json.dumps(refusal.envelope())) == refusal.envelope()
    else:
        assert {model.model_fields[name].alias or name for name in read.model_fields_set} == set(raw)
