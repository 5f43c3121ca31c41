"""Storing an adopted article with its records and redirects (records.md 12)."""

from dataclasses import dataclass
from typing import Literal

from blog_engine import signals
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.models import Baseline, Category
from blog_engine.queries.findings import WriteContext
from blog_engine.queries.posts import read_post
from blog_engine.services._adoption_records import delete_adoption, record_baseline, record_earlier_approval
from blog_engine.services._adoption_redirects import FormerAddress, claim_moves, rewrite
from blog_engine.services._adoption_repeat import category_to_describe, declaration_to_append
from blog_engine.services._adoption_snapshot import approval_facts, undated
from blog_engine.services._edit import Edit
from blog_engine.services._finish import follow_address, record_declaration
from blog_engine.services._release import record_adopted, record_revision
from blog_engine.services._search_index import index_words
from blog_engine.services._store import insert_post, store_post
from blog_engine.services.outcome import Recorded, Stored
from blog_engine.vocabulary import PostStatus


@dataclass(frozen=True, slots=True)
class StoredAdoption:
    """What the transaction of an adoption left."""

    stored: Stored
    baseline: Literal["new", "replaced"] | None = None
    redirects: int = 0


def store_adoption(
    edit: Edit, data: AdoptPost, baseline: Baseline | None, addresses: list[FormerAddress]
) -> StoredAdoption:
    """Store the article as a public post with new records, in the place of those of the earlier adoption."""
    if edit.is_new:
        insert_post(edit)
    if baseline is not None:
        delete_adoption(edit.post, baseline)
    records = _record(edit, data)
    edit.post.publish_at = None
    store_post(edit, status=PostStatus.PUBLISHED)
    if declaration := declaration_to_append(edit, data):
        record_declaration(edit.post, declaration, actor_name=edit.actor_name, now=edit.now)
    if category := category_to_describe(edit, data):
        # Only while it is still empty: an editor may describe the category at the same time.
        still_empty = Category.objects.filter(pk=category.pk, description=category.description)
        still_empty.update(description=data.category_description, updated_at=edit.now)
    rewrite(addresses, post=edit.post, now=edit.now)
    moved = follow_address(edit, status=PostStatus.PUBLISHED)
    claim_moves(edit.post, now=edit.now)
    if edit.words_changed:
        index_words(edit.post)
    return StoredAdoption(
        stored_adoption(edit, data, records, slug_moved=moved),
        baseline="new" if baseline is None else "replaced",
        redirects=len(addresses),
    )


def stored_adoption(edit: Edit, data: AdoptPost, records: Recorded, *, slug_moved: bool = False) -> Stored:
    """What the adoption left; one that recorded nothing has no signal. Call it inside the transaction."""
    approval = approval_facts(data)
    context = WriteContext(
        author_defaulted=edit.author_defaulted,
        facts_unchecked=approval is not None and not approval["facts_checked"],
        slug_moved=slug_moved,
        undated=undated(data),
    )
    signal = signals.post_updated if edit.was_public else signals.post_published
    return Stored(
        post=read_post(edit.post.pk),
        signal=signal if records.publication else None,
        records=records,
        context=context,
        created=edit.is_new,
    )


def _record(edit: Edit, data: AdoptPost) -> Recorded:
    # An import has no draft that anybody wrote here: the revision is the work of whoever adopts.
    edit.post.unrecorded_actor, edit.post.unrecorded_made_by_ai = edit.actor_name, None
    revision, made = record_revision(edit)
    record_baseline(edit, data, revision)
    approval = record_earlier_approval(edit, data, revision)
    return Recorded(revision=made, publication=record_adopted(edit, revision), approval=approval)
