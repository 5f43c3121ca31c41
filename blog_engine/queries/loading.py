"""Checking the history that ``loaddata`` stores, inside its transaction (proof.dumps).

Django writes times to JSON in milliseconds. The rows of a dump that lost the rest of them are not the ones that were
chained, and nothing could repair them once they are stored.
"""

from typing import Any, Final

from django.core.management import CommandError
from django.db.models import Model
from django.db.models.signals import post_save

from blog_engine.enums import RecordKind
from blog_engine.models import ChainLink, Checkpoint
from blog_engine.queries.chain import records_of_kind
from blog_engine.rules.chain import CHAINED_MODELS, canonical_record, described_link, hash_of_checkpoint
from blog_engine.verify import digest_of_json, link_hash

_KINDS: Final[dict[type[Model], RecordKind]] = {model: kind for kind, model in CHAINED_MODELS.items()}


def check_loaded_history() -> None:
    """Check each row of the history that a fixture stores."""
    for model in (*CHAINED_MODELS.values(), ChainLink, Checkpoint):
        post_save.connect(_check, sender=model, dispatch_uid="blog_engine.loaded_history")


def _check(sender: type[Model], instance: Any, raw: bool, using: str, **_: Any) -> None:
    """Raise ``CommandError``, which undoes the load, if a row of a fixture is not the one that was chained."""
    if not raw:
        return
    if sender is Checkpoint:
        stored = Checkpoint.objects.using(using).get(pk=instance.pk)
        is_whole = stored.hash == hash_of_checkpoint(stored)
    elif sender is ChainLink:
        link = ChainLink.objects.using(using).get(pk=instance.pk)
        is_whole = link.hash == link_hash(described_link(link), post=link.post) and _is_chained(link, using)
    else:
        links = ChainLink.objects.using(using).filter(kind=_KINDS[sender].value, record=instance.pk)
        is_whole = all(_is_chained(link, using) for link in links)
    if not is_whole:
        raise CommandError(
            f"Nothing was loaded: {sender._meta.verbose_name} {instance.pk} is not as it was chained, and stored like "
            "this it would break the proof of the history for good. JSON that was dumped before version 0.2 lacks the "
            "microseconds of its times, and XML has no carriage returns. Dump the blog as JSON with this version, or "
            "copy its database instead. If this file is all that is left, load it with --exclude blog_engine.chainlink "
            "--exclude blog_engine.checkpoint, then run make_checkpoint and render_posts: the records are chained "
            "again, and earlier checkpoints prove nothing about them."
        )


def _is_chained(link: ChainLink, using: str) -> bool:
    """Return whether the record of a link has its digest, as far as it is stored."""
    kind = RecordKind(link.kind)
    if kind not in CHAINED_MODELS:
        return True
    record = records_of_kind(kind).using(using).filter(pk=link.record).first()
    return record is None or digest_of_json(canonical_record(record)) == link.digest
