"""Policy pages."""

from collections.abc import Iterable

from django.db.models import QuerySet

from blog_engine.blog_urls import BlogURLs, public_path
from blog_engine.conf import get_settings
from blog_engine.enums import BodyFormat, PolicyKind, PolicyStatus
from blog_engine.errors import NotFound
from blog_engine.models import PolicyPage
from blog_engine.queries.rendering import render_body, rendering_key


def policy_urls(kinds: Iterable[PolicyKind] = PolicyKind) -> dict[PolicyKind, str]:
    """The address of each policy that has one: the configured URL, else the published page (records.md 11).

    A configured root-relative path and a local page get ``SCRIPT_NAME``. At most one query.
    """
    wanted = list(kinds)
    configured = get_settings().policy_urls
    found = {kind: public_path(url) for kind in wanted if (url := configured.of(kind))}
    missing = [kind.value for kind in wanted if kind not in found]
    if missing:
        pages = PolicyPage.objects.filter(kind__in=missing, status=PolicyStatus.PUBLISHED.value)
        urls = BlogURLs.on("")
        found |= {PolicyKind(kind): urls.policy_path(slug) for kind, slug in pages.values_list("kind", "slug")}
    return found


def policy_url(kind: PolicyKind) -> str | None:
    """The address of one policy, or ``None`` when it has none."""
    return policy_urls([kind]).get(kind)


def policy_pages() -> QuerySet[PolicyPage]:
    """All pages, drafts too, by id."""
    return PolicyPage.objects.order_by("id")


def read_page(kind: PolicyKind) -> PolicyPage:
    """The page of a kind, a draft too; raises ``NotFound``."""
    page = PolicyPage.objects.filter(kind=kind.value).first()
    if page is None:
        raise NotFound(hint="That page was not written yet: saving one of that kind makes it.")
    return page


def served_pages() -> QuerySet[PolicyPage]:
    """The pages that readers can open here, by id: published ones, unless the host has a page of its own."""
    own = get_settings().policy_urls
    elsewhere = [kind.value for kind in PolicyKind if own.of(kind)]
    return policy_pages().filter(status=PolicyStatus.PUBLISHED.value).exclude(kind__in=elsewhere)


def page_html(page: PolicyPage) -> str:
    """The stored rendering of the body, or a fresh one when the renderer or its settings changed since."""
    return page.body_html if page.rendered_with == rendering_key() else render_page(page)


def render_page(page: PolicyPage) -> str:
    """The body as safe HTML."""
    return render_body(page.body, BodyFormat.MARKDOWN, footnote_prefix=page_footnote_prefix(page)).html


def page_footnote_prefix(page: PolicyPage) -> str:
    """The start of the footnote ids of a page, which carry its kind as those of posts carry their id."""
    return f"fn-{page.kind}-"
