"""The record that a caller names where only its number is accepted."""

from collections.abc import Mapping
from typing import Final

from blog_engine.inputs.base import Input
from blog_engine.inputs.hints import fields_as_sent
from blog_engine.inputs.types import SHORT_TEXT, UNSTORABLE, NamedRecordKind, NamesRecord
from blog_engine.models import Author, Category, Series, Tag
from blog_engine.queries.records import records_with_name_or_slug

_MODELS: Final[Mapping[NamedRecordKind, type[Category | Author | Series | Tag]]] = {
    NamedRecordKind.CATEGORY: Category,
    NamedRecordKind.AUTHOR: Author,
    NamedRecordKind.SERIES: Series,
    NamedRecordKind.TAG: Tag,
}


def meant_record(model: type[Input], sent: Mapping[str, object]) -> str:
    """Return the sentence with the id of the record whose name or slug was sent as an id; empty if there is none."""
    for name, field in fields_as_sent(model).items():
        kind = next((mark.kind for mark in field.metadata if isinstance(mark, NamesRecord)), None)
        value = sent.get(name)
        text = value.strip() if isinstance(value, str) else ""
        if kind is None or not 0 < len(text) <= SHORT_TEXT or UNSTORABLE.search(text):
            continue
        found = records_with_name_or_slug(_MODELS[kind], text, limit=2)
        if len(found) == 1:
            return f"The {kind} with that name or slug has the id {found[0].pk}."
    return ""
