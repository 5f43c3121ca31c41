"""Where the blog's policies are to be read."""

from collections.abc import Iterable

from blog_engine.addresses import Addresses, public_path
from blog_engine.conf import get_settings
from blog_engine.models import PolicyPage
from blog_engine.vocabulary import PolicyKind, PolicyStatus


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
        here = Addresses.on("")
        found |= {PolicyKind(kind): here.policy_path(slug) for kind, slug in pages.values_list("kind", "slug")}
    return found


def policy_url(kind: PolicyKind) -> str | None:
    """The address of one policy, or ``None`` when it has none."""
    return policy_urls([kind]).get(kind)
