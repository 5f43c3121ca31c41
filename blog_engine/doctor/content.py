"""Probes of the stored history and of the policy pages."""

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

from django.db.backends.base.base import BaseDatabaseWrapper

from blog_engine import DOCUMENTATION
from blog_engine.blog_urls import public_path
from blog_engine.conf import settings_faults
from blog_engine.doctor.base import ProbeContext, Verdict, enumeration, require_tables, valid_settings, verdict
from blog_engine.enums import PolicyKind
from blog_engine.fetching import FetchRefused, any_address, fetch_headers
from blog_engine.models.protection import missing_protection, missing_version_triggers
from blog_engine.queries.audit import (
    Audit,
    audit_public_posts,
    gaps_in_histories,
    wrong_list_counts,
    wrongly_listed_posts,
)
from blog_engine.queries.chain_audit import faults_in_chains, faulty_checkpoints, posts_without_links
from blog_engine.queries.database import engine_connection
from blog_engine.queries.earlier_versions import posts_without_body_images, posts_without_feed_id
from blog_engine.queries.policies import policy_urls
from blog_engine.rendering.stored import pages_that_differ, renderings_that_differ
from blog_engine.services import posts_with_outdated_findings

_LINKS_OF_A_POST = 4
"""Links that are compared for each post that is recomputed."""
_RENDERED = 500
"""The most posts that are rendered to compare their stored HTML, from a place at random on."""
_CHARACTERS_ON_A_PAGE = 100_000
"""The most text that is rendered for a page or an answer, which are not to take long."""
_SECONDS = 3.0
_STEP_SECONDS = 2.0
_RESTORE_PROTECTION = f"{DOCUMENTATION}/how-to/troubleshooting.md#the-history-has-lost-its-protection"
_USER_AGENT = "blog_engine (doctor)"
_NO_ORIGIN = "is a path of this site, which cannot be checked without public_base_url"


def probe_records(context: ProbeContext) -> Verdict:
    """Report posts, histories, stored HTML and numbers of posts that are not as recorded, and missing triggers."""
    require_tables()
    connection = engine_connection()
    audit = audit_public_posts(newest=context.newest_posts)
    errors = [
        *(*_differences(audit), *_other_html(context), *_gaps()),
        *(*_faulty_chains(context), *_faulty_checkpoints(context)),
        *(*_missing_protection(connection), *_unnoticed(connection)),
    ]
    warnings = [*_without_links(), *_wrong_counts(), *_wrongly_listed(), *_incomplete(), *_outdated_findings(context)]
    return verdict(errors=errors, warnings=warnings, ok=f"{_extent(audit)}: all are as recorded.")


def _other_html(context: ProbeContext) -> Iterator[str]:
    whole = context.newest_posts is None
    posts = renderings_that_differ(most=_RENDERED, most_characters=None if whole else _CHARACTERS_ON_A_PAGE)
    bodies = [*(f"post {post_id}" for post_id in posts), *(f"policy page {kind}" for kind in pages_that_differ())]
    if bodies:
        yield (
            f"The stored HTML of {len(bodies)} bodies is not what they render to: {enumeration(bodies)}. Something "
            "bypassed the engine, unless a Markdown plugin changed under its name: compare with a backup, then run "
            "render_posts ALL=true."
        )


def _faulty_chains(context: ProbeContext) -> Iterator[str]:
    newest = None if context.newest_posts is None else context.newest_posts * _LINKS_OF_A_POST
    if posts := faults_in_chains(newest_links=newest):
        yield (
            f"The chains of {len(posts)} posts differ from their records. {_faults_by_post(posts)}. Something bypassed "
            "the engine: compare with a backup, and check the evidence of these posts with a published checkpoint."
        )


def _faulty_checkpoints(context: ProbeContext) -> Iterator[str]:
    if numbers := faulty_checkpoints(recompute=context.newest_posts is None):
        yield (
            f"Checkpoints differ from what they cover: {enumeration(numbers)}. Something bypassed the engine: compare "
            "with a backup and with published copies."
        )


def _without_links() -> Iterator[str]:
    if posts := posts_without_links():
        yield (
            f"Records of {len(posts)} posts are not chained. {enumeration(posts)}. A previous version makes such "
            "records during an upgrade, and make_checkpoint chains them; at any other time something bypassed the "
            "engine."
        )


def _wrong_counts() -> Iterator[str]:
    if lists := wrong_list_counts():
        yield (
            f"The numbers of posts of {len(lists)} lists are wrong. {enumeration(lists)}. Something wrote posts past "
            "the engine: render_posts counts them again."
        )


def _wrongly_listed() -> Iterator[str]:
    if posts := wrongly_listed_posts():
        yield (
            f"The search lists {len(posts)} posts wrongly. {enumeration(posts)}. Something wrote posts past the "
            "engine, or an earlier version did during the upgrade: render_posts lists them again."
        )


def _incomplete() -> Iterator[str]:
    lacking = {
        # Which need the origin, and Configuration reports faults of the settings.
        "permanent feed id": [] if settings_faults() else posts_without_feed_id(),
        "note of the images in their body": posts_without_body_images(),
    }
    for what, posts in lacking.items():
        if posts:
            yield (
                f"{len(posts)} posts lack the {what}. {enumeration(posts)}. A previous version makes such posts during "
                "an upgrade: render_posts completes them."
            )


def _outdated_findings(context: ProbeContext) -> Iterator[str]:
    if settings_faults():
        # Which Configuration reports; no finding can be worked out.
        return
    if posts := posts_with_outdated_findings(newest=context.newest_posts, now=context.now):
        yield (
            f"The findings that are kept with {len(posts)} posts are outdated. {enumeration(posts)}. The package, a "
            "setting or the house style changed: lists are slower until render_posts keeps them again."
        )


def _extent(audit: Audit) -> str:
    if audit.checked < audit.public:
        return (
            f"Recomputed the {audit.checked} most recently changed of {audit.public} public posts "
            "(blog_doctor recomputes all)"
        )
    return f"Recomputed all {audit.checked} public posts"


def _differences(audit: Audit) -> Iterator[str]:
    if posts := audit.differing:
        yield (
            f"{_extent(audit)}: {len(posts)} differ from the records. {_faults_by_post(posts)}. Something bypassed the "
            "engine: compare with a backup."
        )


def _gaps() -> Iterator[str]:
    if posts := gaps_in_histories():
        yield (
            f"The histories of {len(posts)} posts have gaps. {_faults_by_post(posts)}. Something bypassed the engine "
            "and deleted or inserted records: compare with a backup."
        )


def _faults_by_post(posts: Mapping[int, Iterable[str]]) -> str:
    return enumeration([f"{post_id}: {', '.join(faults)}" for post_id, faults in posts.items()])


def _missing_protection(connection: BaseDatabaseWrapper) -> Iterator[str]:
    if triggers := missing_protection(connection):
        yield (
            "The database no longer protects the history; missing, switched off, changed or left open: "
            f"{enumeration(triggers)}. Find out what removed it, then restore it: {_RESTORE_PROTECTION}"
        )


def _unnoticed(connection: BaseDatabaseWrapper) -> Iterator[str]:
    if triggers := missing_version_triggers(connection):
        yield (
            "Kept pages do not notice every change; triggers missing, switched off or changed: "
            f"{enumeration(triggers)}. Restore them: {_RESTORE_PROTECTION}"
        )


def probe_policy_pages(context: ProbeContext) -> Verdict:
    """Report policies without a published page or a configured URL that answers 200.

    URLs are fetched in parallel, in at most three seconds. A missing policy is only a warning, as it breaks no page.
    """
    settings = valid_settings()
    require_tables()
    configured = {kind: url for kind in PolicyKind if (url := settings.policy_urls.of(kind))}
    published = policy_urls(kind for kind in PolicyKind if kind not in configured)
    with ThreadPoolExecutor(max_workers=len(PolicyKind), thread_name_prefix="blog_engine doctor") as pool:
        origin = settings.public_base_url
        asked = {kind: pool.submit(_fault_at, _absolute_url(url, origin=origin)) for kind, url in configured.items()}
    faults = {kind: fault for kind, answer in asked.items() if (fault := answer.result())}
    missing = {kind: "no published page or URL configured" for kind in PolicyKind if kind not in configured | published}
    problems = [f"{kind}: {problem}" for kind in PolicyKind if (problem := (faults | missing).get(kind))]
    return verdict(
        warnings=[f"{'; '.join(problems)}. Publish a page of that kind or correct policy_urls."] if problems else [],
        ok="All four policies can be read.",
    )


def _absolute_url(url: str, *, origin: str | None) -> str | None:
    """Return the absolute URL, or ``None`` for a path while the origin is unknown."""
    if not url.startswith("/") or url.startswith("//"):
        return url
    return None if origin is None else origin + public_path(url)


def _fault_at(url: str | None) -> str | None:
    if url is None:
        return _NO_ORIGIN
    try:
        # Any IP address is allowed, since the host configured this URL for the browsers of its readers.
        answer = fetch_headers(
            url, permits=any_address, seconds=_SECONDS, step_seconds=_STEP_SECONDS, user_agent=_USER_AGENT
        )
    except FetchRefused as refused:
        return f"unavailable ({type(refused.__cause__ or refused).__name__})"
    return None if answer.status == 200 else f"HTTP {answer.status}"
