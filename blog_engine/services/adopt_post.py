"""Taking over an article that another system published."""

from contextlib import nullcontext
from datetime import datetime

from blog_engine.actor import Actor, Scope
from blog_engine.images.files import DryImageFiles, ImageFiles, image_files
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.models import Baseline
from blog_engine.queries.feed_ids import is_taken
from blog_engine.services._adoption_redirects import are_stored, former_addresses
from blog_engine.services._adoption_repeat import repeats
from blog_engine.services._adoption_snapshot import snapshot_of
from blog_engine.services._adoption_store import StoredAdoption, store_adoption, stored_adoption
from blog_engine.services._adoption_target import find_target, lock_target
from blog_engine.services._assign import assign_fields
from blog_engine.services._bodies import Bodies
from blog_engine.services._derive import derive
from blog_engine.services._edit import Edit, begin_edit
from blog_engine.services._finish import announce, describe
from blog_engine.services._images import gather_for
from blog_engine.services._taken import taken_feed_id
from blog_engine.services._transaction import take_back, write_transaction
from blog_engine.services.outcome import Adopted, Recorded
from blog_engine.services.write_log import note_rehearsal


def adopt_post(data: AdoptPost, *, actor: Actor, now: datetime, base_url: str = "") -> Adopted:
    """Make an article public as it was in another system, with the evidence for its past (records.md 12).

    Adopting the same again writes nothing; adopting it changed replaces the earlier adoption, as long as nothing
    followed that here. With ``dry_run`` everything is worked out and taken back. No gate and no hook is asked.
    Raises ``IdentityConflict``, ``AlreadyChangedInGem``, ``SlugReserved``, ``ScopeRequired`` and what a write of
    content raises; then nothing is written.
    """
    actor.require(Scope.PUBLISH)
    if data.dry_run:
        note_rehearsal()
    snapshot = snapshot_of(data)
    bodies = Bodies()
    images = gather_for(snapshot, bodies=bodies, look_up=lambda: find_target(data, snapshot).post)

    def write() -> Adopted:
        with write_transaction(), nullcontext(DryImageFiles()) if data.dry_run else image_files() as files:
            target = lock_target(data, snapshot)
            edit = begin_edit(
                target.post, snapshot, actor=actor, now=now, bodies=bodies, images=images, base_url=base_url
            )
            adoption = _adopt(edit, data, target.baseline, files=files)
            if data.dry_run:
                # Nothing of it can be read afterwards.
                adopted = _described(adoption, data, now=now)
                take_back()
                return adopted
        adopted = _described(adoption, data, now=now)
        if adoption.stored.signal is not None:
            announce(adoption.stored.signal, adopted, actor=actor)
        return adopted

    return bodies.around(write)


def _described(adoption: StoredAdoption, data: AdoptPost, *, now: datetime) -> Adopted:
    written = describe(adoption.stored, now=now)
    return Adopted(
        post=written.post,
        created=written.created,
        records=written.records,
        label=written.label,
        findings=written.findings,
        baseline=adoption.baseline,
        redirects=adoption.redirects,
        dry_run=data.dry_run,
    )


def _adopt(edit: Edit, data: AdoptPost, baseline: Baseline | None, *, files: ImageFiles) -> StoredAdoption:
    """Work out the article, and store it unless the earlier adoption left exactly this."""
    assign_fields(edit, files=files)
    _assign_feed_id(edit, data)
    derive(edit)
    addresses = former_addresses(data.old_slugs or (), post=edit.post, baseline=baseline, now=edit.now)
    if baseline is not None and repeats(edit, data, baseline) and are_stored(addresses, post=edit.post):
        return StoredAdoption(stored_adoption(edit, data, Recorded(revision="same")))
    return store_adoption(edit, data, baseline, addresses)


def _assign_feed_id(edit: Edit, data: AdoptPost) -> None:
    """Take over the id that the article has in the feeds of the other system; without one the stored id stays."""
    if data.feed_id is None:
        return
    if is_taken(data.feed_id, post_id=edit.post.pk):
        raise taken_feed_id()
    edit.post.feed_id = data.feed_id
