"""The chain of the records of each post: its end, its links, and what it lacks."""

from typing import Any, Final

from django.db.models import Exists, OuterRef, QuerySet

from blog_engine.enums import RecordKind
from blog_engine.models import ChainLink
from blog_engine.queries.compiled import CompiledValues, Parameter
from blog_engine.rules.chain import CHAINED_MODELS, ChainEnd

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


def unchained(kind: RecordKind) -> QuerySet[Any]:
    """Return the records of a kind that have no link, without the texts of revisions."""
    links = ChainLink.objects.filter(kind=kind.value, record=OuterRef("pk"))
    return records_of_kind(kind).filter(~Exists(links))


def records_of_kind(kind: RecordKind) -> QuerySet[Any]:
    """Return the records of a kind with what their canonical form needs, in the order of their ids."""
    rows: QuerySet[Any] = CHAINED_MODELS[kind]._default_manager.order_by("pk")
    match kind:
        case RecordKind.REVISION:
            return rows.defer("payload")
        case RecordKind.BASELINE:
            return rows.select_related("adopted_revision").defer("adopted_revision__payload")
        case RecordKind.APPROVAL | RecordKind.PUBLICATION:
            return rows.select_related("revision").defer("revision__payload")
        case _:
            return rows
