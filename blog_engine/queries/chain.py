"""The chain of the records of each post: its end, its links, and what it lacks."""

from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from blog_engine.enums import RecordKind
from blog_engine.models import ChainLink
from blog_engine.queries.compiled import CompiledValues, Parameter
from blog_engine.rules.chain import CHAINED_MODELS, ChainedRecord, ChainEnd

_ENDS: Final[CompiledValues[ChainEnd]] = CompiledValues(
    lambda: ChainLink.objects.filter(post=Parameter("post")).order_by("-position").values_list("position", "hash")[:1],
    ChainEnd,
)


def end_of_chain(post_id: int) -> ChainEnd:
    """Return the end of the chain of a post; one query."""
    return _ENDS.first(post=post_id) or ChainEnd()


def kinds_of_links(post_id: int) -> list[tuple[int, str]]:
    """Return the positions and kinds of the links of a post; one query."""
    return list(ChainLink.objects.filter(post=post_id).order_by("position").values_list("position", "kind"))


def records_of_kind(kind: RecordKind) -> QuerySet[Any]:
    """Return the records of a kind with what their canonical form needs, in the order of their ids."""
    rows: QuerySet[Any] = CHAINED_MODELS[kind]._default_manager.order_by("pk")
    match kind:
        case RecordKind.REVISION:
            return rows.defer("payload")
        case RecordKind.BASELINE:
            return rows.select_related("adopted_revision").defer("adopted_revision__payload")
        case RecordKind.PROPOSAL:
            related = rows.select_related("revision", "base_revision")
            return related.defer("revision__payload", "base_revision__payload")
        case RecordKind.SIGNATURE:
            return rows.select_related("approval__revision", "key").defer("approval__revision__payload")
        case RecordKind.APPROVAL | RecordKind.PUBLICATION | RecordKind.PROPOSAL_EVENT:
            return rows.select_related("revision").defer("revision__payload")
        case _:
            return rows


def unchained(kind: RecordKind) -> QuerySet[Any]:
    """Return the records of a kind that have no link: a previous version, or something past the engine, made them."""
    links = ChainLink.objects.filter(kind=kind.value, record=OuterRef("pk"))
    return records_of_kind(kind).filter(~Exists(links))


def unchained_posts(kind: RecordKind, *, after: int = 0, most: int) -> list[int]:
    """Return the ids of the first posts after an id with such records."""
    found = unchained(kind).order_by("post_id").filter(post_id__gt=after).values_list("post_id", flat=True)
    return list(found.distinct()[:most])


def unchained_records(post_id: int) -> list[ChainedRecord]:
    """Return the records of a post without a link, in the order in which they are chained afterwards."""
    found = [
        (record.created_at, order, record.pk, record)
        for order, kind in enumerate(CHAINED_MODELS)
        for record in unchained(kind).filter(post=post_id)
    ]
    return [record for *_, record in sorted(found, key=lambda one: one[:3])]
