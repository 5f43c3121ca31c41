"""A model of the contract of adoptions."""

from typing import Any

from tests.contract.life_addresses import Addresses, Redirect
from tests.contract.life_records import Answer, Baseline, Life, Refused, path_of, records

_BASELINE_FACTS = ("first_published_evidence", "last_modified_evidence", "source_body_sha256")
NOTHING = {"revision": "same", "publication": None, "approval": None, "baseline": None, "redirects": 0}


def adopt(
    sent: dict[str, Any], *, posts: list[Life], addresses: Addresses
) -> tuple[Answer, dict[str, Any], Life, bool]:
    """``POST /adoptions``: return answer, records, the post, and whether its public URL moved."""
    _refuse_what_does_not_fit(sent)
    post = _selected(sent, posts)
    created = post is None
    post = post or Life(sent["slug"])
    _refuse_taken(post, sent, posts=posts, addresses=addresses, created=created)
    days = {_slug_of(one): None if isinstance(one, str) else one.get("moved_on") for one in sent.get("old_slugs", [])}
    _refuse_old_slugs(post, days, posts=posts, addresses=addresses)

    was_public, old, before = post.status == "published", post.slug, _said(post, addresses)
    replaced, declared_before = post.baseline is not None, len(post.declarations)
    kept = {row.spelled: row.day for row in addresses.of(post)}
    _take_over(post, sent)
    wanted = {path_of(slug): day or kept.get(path_of(slug)) for slug, day in days.items()}
    adopted_rows = {row.spelled: row.day for row in addresses.of(post) if row.source == "adoption"}
    is_same = replaced and before == _said(post, addresses) and adopted_rows == wanted
    if is_same and len(post.declarations) == declared_before:
        return (200, None, []), NOTHING, post, False

    made = _approval_of(sent)
    post.revisions, post.publications = [post.content], [("adopted", post.content, None)]
    post.approvals = [(post.content, *made)] if made else []
    post.public, post.status, post.publish_at = post.content, "published", None
    _lead_here(post, wanted, addresses)
    moved = was_public and old != post.slug
    if moved:
        addresses.move(post, old, by_adoption=True)
    if moved or not was_public:
        addresses.come_back(post)
    if created:
        posts.append(post)
    told = records(revision="new", publication="adopted", approval=made[0] if made else None)
    told |= {"baseline": "replaced" if replaced else "new", "redirects": len(days)}
    return (201 if created else 200, None, []), told, post, moved


def _refuse_what_does_not_fit(sent: dict[str, Any]) -> None:
    declaration = sent.get("declaration")
    is_known = sent.get("provenance", "unknown") == "unknown" or declaration or sent.get("provenance_evidence")
    is_double = bool(declaration and "imported_approval" in sent)
    is_dated_twice = bool(sent.get("first_published_at") and (declaration or {}).get("declared_first_published_at"))
    faults = {
        "provenance_evidence": not is_known,
        "old_slugs.slug": sent["slug"] in map(_slug_of, sent.get("old_slugs", [])),
        "declaration": is_double,
        "declaration.declared_first_published_at": is_dated_twice,
        "imported_approval": is_double,
    }
    if any(faults.values()):
        raise Refused(422, "validation_failed", [name for name, is_fault in faults.items() if is_fault])


def _selected(sent: dict[str, Any], posts: list[Life]) -> Life | None:
    source = (sent["source_system"], sent["source_id"])
    own = [post for post in posts if post.baseline and post.baseline.source == source]
    external_id = sent.get("external_id")
    by_id = [post for post in posts if external_id and post.external_id == external_id]
    by_slug = [post for post in posts if post.slug == sent["slug"]]
    if not own and by_id and by_slug and by_id != by_slug:
        raise Refused(409, "identity_conflict", ["slug", "external_id"])
    found = own or by_id or by_slug
    if not found:
        return None
    post, field = found[0], "external_id" if by_id else "slug"
    if post.baseline is None:
        has_records = post.public or post.revisions or post.publications or post.approvals or post.declarations
        if has_records or post.status not in {"draft", "scheduled"}:
            raise Refused(409, "identity_conflict", [field])
    elif post.baseline.source != source:
        raise Refused(409, "identity_conflict", [field])
    return post


def _refuse_changed(post: Life, addresses: Addresses) -> None:
    if post.baseline is None:
        return
    others = [row for row in addresses.of(post) if row.source != "adoption" and not row.by_adoption]
    followed = [kind for kind, _, _ in post.publications if kind != "adopted"]
    sent = [kind for _, kind, _ in post.approvals if kind == "sent"]
    if post.status != "published" or followed or sent or others:
        raise Refused(409, "already_changed_in_gem")


def _refuse_taken(post: Life, sent: dict[str, Any], *, posts: list[Life], addresses: Addresses, created: bool) -> None:
    _refuse_changed(post, addresses)
    others = [other for other in posts if other is not post]
    external_id = sent.get("external_id")
    if external_id and external_id in {other.external_id for other in others}:
        raise Refused(409, "identity_conflict", ["external_id"])
    if not created and sent["slug"] == post.slug:
        return
    row = addresses.rows.get(path_of(sent["slug"]))
    if row and (created or row.owner is not post):
        raise Refused(409, "slug_reserved")
    if sent["slug"] in {other.slug for other in others}:
        raise Refused(409, "identity_conflict", ["slug"])


def _refuse_old_slugs(post: Life, days: dict[str, str | None], *, posts: list[Life], addresses: Addresses) -> None:
    for slug in days:
        row = addresses.rows.get(path_of(slug))
        is_own = row is None or (row.owner is post and (row.source == "adoption" or row.by_adoption))
        if not is_own or any(other.slug == slug for other in posts if other is not post):
            raise Refused(409, "slug_reserved")


def _take_over(post: Life, sent: dict[str, Any]) -> None:
    """Return the content, in which omitted fields are empty."""
    cover = sent.get("cover_image")
    post.slug, post.external_id = sent["slug"], sent.get("external_id")
    post.title, post.body = sent["title"], sent["body"]
    post.cover, post.cover_alt = cover["image_id"] if cover else None, sent.get("cover_alt", "")
    post.tags, post.featured = sorted(sent.get("tags", [])), sent.get("featured", False)
    post.provenance, post.evidence = sent.get("provenance", "unknown"), sent.get("provenance_evidence")
    declaration = sent.get("declaration")
    if declaration and post.evidence is None:
        post.evidence = f"declared by {declaration['declared_by']}"
    post.baseline = Baseline(
        source=(sent["source_system"], sent["source_id"]),
        first=sent.get("first_published_at") if sent.get("first_published_evidence") else None,
        declared_first=declaration.get("declared_first_published_at") if declaration else None,
        last=sent.get("last_modified_at") if sent.get("last_modified_evidence") else None,
        facts={name: sent.get(name) or None for name in (*_BASELINE_FACTS, "declaration", "imported_approval")},
    )
    connections = sent.get("connections")
    if connections and post.declarations[-1:] != [connections["declared_by"]]:
        post.declarations.append(connections["declared_by"])


def _said(post: Life, addresses: Addresses) -> tuple[Any, ...]:
    """Return what a repeated adoption is compared with."""
    meta = (post.slug, post.external_id, post.tags, post.featured, post.provenance, post.evidence)
    return post.content, post.baseline, meta


def _lead_here(post: Life, wanted: dict[str, str | None], addresses: Addresses) -> None:
    for path, row in list(addresses.rows.items()):
        if row.owner is post and (row.source == "adoption" or path in wanted):
            del addresses.rows[path]
    for path, day in wanted.items():
        addresses.retarget(path, post.path)
        addresses.rows[path] = Redirect(path, post.path, "adoption", post, day)


def _approval_of(sent: dict[str, Any]) -> tuple[str, bool] | None:
    for name, kind in (("declaration", "declared"), ("imported_approval", "imported")):
        if name in sent:
            return kind, sent[name]["facts_checked"]
    return None


def _slug_of(one: Any) -> str:
    slug: str = one if isinstance(one, str) else one["slug"]
    return slug
