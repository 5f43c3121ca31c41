"""Probes of stored history and policy pages."""

from concurrent.futures import ThreadPoolExecutor

from django.db.backends.base.base import BaseDatabaseWrapper

from blog_engine import DOCUMENTATION
from blog_engine.blog_urls import public_path
from blog_engine.doctor.base import Verdict, Visit, listed, require_tables, sound_settings, verdict
from blog_engine.enums import PolicyKind
from blog_engine.fetching import FetchRefused, any_address, fetch_headers
from blog_engine.models.protection import missing_protection
from blog_engine.queries.audit import Audit, audit_public_posts, gaps_in_histories
from blog_engine.queries.database import engine_connection
from blog_engine.queries.policies import policy_urls


def probe_records(visit: Visit) -> Verdict:
    """Recompute identifiers and dates of public posts, look for missing records, and compare the triggers."""
    require_tables()
    connection = engine_connection()
    audit = audit_public_posts(newest=visit.newest_posts)
    errors = [*_differences(audit), *_gaps(), *_holes(connection)]
    return verdict(errors=errors, well=f"{_extent(audit)}: all are as recorded.")


def _extent(audit: Audit) -> str:
    if audit.checked < audit.public:
        return (
            f"Recomputed the {audit.checked} most recently changed of {audit.public} public posts "
            "(blog_doctor recomputes all)"
        )
    return f"Recomputed all {audit.checked} public posts"


def _differences(audit: Audit) -> list[str]:
    if not audit.differing:
        return []
    posts = [f"{post_id}: {', '.join(faults)}" for post_id, faults in audit.differing.items()]
    return [
        f"{_extent(audit)}: {len(posts)} differ from the records. {listed(posts)}. Something wrote past the engine: "
        "compare with a backup."
    ]


def _gaps() -> list[str]:
    found = gaps_in_histories()
    if not found:
        return []
    posts = [f"{post_id}: {', '.join(gaps)}" for post_id, gaps in found.items()]
    return [
        f"The histories of {len(posts)} posts have gaps. {listed(posts)}. Something deleted or inserted records past "
        "the engine: compare with a backup."
    ]


def _holes(connection: BaseDatabaseWrapper) -> list[str]:
    missing = missing_protection(connection)
    if not missing:
        return []
    return [
        f"The database no longer protects the history; missing, switched off, changed or left open: {listed(missing)}. "
        "Find out what took it away, then restore it: "
        f"{DOCUMENTATION}/how-to/troubleshooting.md#the-history-has-lost-its-protection"
    ]


_SECONDS = 3.0
_STEP_SECONDS = 2.0
_USER_AGENT = "blog_engine (doctor)"
_NO_ORIGIN = "is a path of this site, which cannot be checked without public_base_url"


def probe_policy_pages(visit: Visit) -> Verdict:
    """Each kind has a published page, or a configured address that answers 200 within three seconds.

    All addresses are asked at the same time. Never an error: a policy that is missing breaks no page.
    """
    settings = sound_settings()
    require_tables()
    configured = {kind: url for kind in PolicyKind if (url := settings.policy_urls.of(kind))}
    published = policy_urls(kind for kind in PolicyKind if kind not in configured)
    with ThreadPoolExecutor(max_workers=len(PolicyKind), thread_name_prefix="blog_engine doctor") as pool:
        origin = settings.public_base_url
        asked = {kind: pool.submit(_fault_at, _full(url, origin=origin)) for kind, url in configured.items()}
    faults = {kind: fault for kind, answer in asked.items() if (fault := answer.result())}
    missing = {kind: "no published page or URL configured" for kind in PolicyKind if kind not in configured | published}
    problems = [f"{kind}: {problem}" for kind in PolicyKind if (problem := (faults | missing).get(kind))]
    return verdict(
        warnings=[f"{'; '.join(problems)}. Publish a page of that kind or correct policy_urls."] if problems else [],
        well="All four policies can be read.",
    )


def _full(url: str, *, origin: str | None) -> str | None:
    """The absolute address; ``None`` for a path of the site when its origin is not known."""
    if not url.startswith("/") or url.startswith("//"):
        return url
    return None if origin is None else origin + public_path(url)


def _fault_at(url: str | None) -> str | None:
    if url is None:
        return _NO_ORIGIN
    try:
        # The host's own configuration, and readers' browsers open it: it may well be an internal address.
        answer = fetch_headers(
            url, permits=any_address, seconds=_SECONDS, step_seconds=_STEP_SECONDS, user_agent=_USER_AGENT
        )
    except FetchRefused as refused:
        return f"unavailable ({type(refused.__cause__ or refused).__name__})"
    return None if answer.status == 200 else f"HTTP {answer.status}"
