"""Readers can open the policies (records.md 15, Policy pages)."""

from concurrent.futures import ThreadPoolExecutor

from blog_engine.addresses import public_path
from blog_engine.fetching import FetchRefused, any_address, fetch_headers
from blog_engine.queries.policies import policy_urls
from blog_engine.report.base import Verdict, Visit, require_tables, sound_settings, verdict
from blog_engine.vocabulary import PolicyKind

_SECONDS = 3.0
_STEP_SECONDS = 2.0
_USER_AGENT = "blog_engine (doctor)"
_NO_ORIGIN = "is a path of this site, which cannot be checked without public_base_url"


def check_policy_pages(visit: Visit) -> Verdict:
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
