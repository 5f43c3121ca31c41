"""Findings of links into the blog that lead nowhere."""

from collections.abc import Iterable

from django.utils.translation import gettext_noop as _

from blog_engine.findings.base import Finding, Subject


def link_fragment_missing(subject: Subject) -> Iterable[Finding]:
    """Return a finding for each link in the body to a heading that the post, or another public one, does not have."""
    message = _("The page has no heading with the id after the # of this link.")
    ids, served = subject.links.ids, subject.links.served
    for href, heading in subject.linked_headings.items():
        path = subject.blog_links.get(href)
        if (path is None or path in served) and heading.slug in ids and ids[heading.slug].isdisjoint(heading.ids):
            yield Finding.of("link_fragment_missing", None, message, href)


def link_same_site_broken(subject: Subject) -> Iterable[Finding]:
    """Return a finding for each link in the body that leads into this blog and to no page."""
    message = _("This link leads to a URL of this blog that has no page.")
    broken = (href for href, path in subject.blog_links.items() if path not in subject.links.served)
    return [Finding.of("link_same_site_broken", "T14", message, href) for href in broken]
