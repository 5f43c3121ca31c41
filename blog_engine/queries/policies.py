"""Policy pages."""

from collections.abc import Iterable, Sequence
from typing import Final

from django.db.models import Exists, QuerySet, Value
from django.db.models.expressions import Combinable

from blog_engine.blog_urls import BlogURLs, public_path
from blog_engine.conf import get_settings
from blog_engine.enums import PolicyKind, PolicyStatus
from blog_engine.errors import NotFound
from blog_engine.models import PolicyPage
from blog_engine.queries.compiled import CompiledValues
from blog_engine.queries.remembered import remembered


def policy_urls(kinds: Iterable[PolicyKind] = PolicyKind) -> dict[PolicyKind, str]:
    """Return the URLs of policies: the configured ones, else of published pages.

    Root-relative URLs include ``SCRIPT_NAME``. At most one query.
    """
    wanted = list(kinds)
    configured = get_settings().policy_urls
    found = {kind: public_path(url) for kind in wanted if (url := configured.of(kind))}
    missing = [kind.value for kind in wanted if kind not in found]
    if missing:
        urls = BlogURLs.on("")
        pages = remembered("policy pages", _PUBLISHED_PAGES.all)
        found |= {PolicyKind(kind): urls.policy_path(slug) for kind, slug in pages if kind in missing}
    return found


_PUBLISHED_PAGES: Final = CompiledValues(
    lambda: published_policies().values_list("kind", "slug"), lambda kind, slug: (kind, slug)
)


def published_policies() -> QuerySet[PolicyPage]:
    """Return the published pages, those that settings replace by a URL included."""
    return PolicyPage.objects.filter(status=PolicyStatus.PUBLISHED.value)


def is_configured(kind: PolicyKind) -> bool:
    """Return whether the settings have a URL for a policy; no query."""
    return bool(get_settings().policy_urls.of(kind))


def find_policy_url(kind: PolicyKind) -> str | None:
    """Return the URL of a policy, or ``None`` when it has none."""
    return policy_urls([kind]).get(kind)


def names_responsible_party() -> Combinable:
    """Return the expression for whether the blog names a responsible party."""
    kind = PolicyKind.RESPONSIBLE_PARTY
    return Value(True) if is_configured(kind) else Exists(published_policies().filter(kind=kind.value))


def policy_pages() -> QuerySet[PolicyPage]:
    """Return all policy pages by id, drafts included."""
    return PolicyPage.objects.order_by("id")


def read_page(kind: PolicyKind) -> PolicyPage:
    """Return the page of a kind, published or draft; raises ``NotFound``."""
    page = PolicyPage.objects.filter(kind=kind.value).first()
    if page is None:
        raise NotFound(hint="The page does not exist yet. Save a page of that kind to create it.")
    return page


def replaced_kinds() -> tuple[str, ...]:
    """Return the kinds of pages for which the settings have a URL."""
    return tuple(kind.value for kind in PolicyKind if is_configured(kind))


def served_pages(replaced: Sequence[str] | None = None) -> QuerySet[PolicyPage]:
    """Return the published pages by id, except those of ``replaced_kinds``."""
    elsewhere = replaced_kinds() if replaced is None else replaced
    return published_policies().exclude(kind__in=elsewhere).order_by("id")
