"""Findings about the links in the body (records.md section 14, Link check)."""

from collections.abc import Iterable
from itertools import islice

from blog_engine.addresses import Addresses
from blog_engine.queries.blog_links import blog_path_of
from blog_engine.queries.findings.base import Finding, Subject
from blog_engine.queries.findings.facts import stored_facts
from blog_engine.queries.served_paths import served_paths

MOST_LINKS = 1000
"""Links into the blog that are looked at; a database does not take a list of any length."""


def link_same_site_broken(subject: Subject) -> Iterable[Finding]:
    """One finding for each address of this blog that the body links and that leads readers nowhere."""
    page = Addresses.on("").post_path(subject.post.slug)
    links = stored_facts(subject.post.body_facts)["links"]
    into_the_blog = ((href, path) for href in links if (path := blog_path_of(href, page=page)))
    targets = dict(islice(into_the_blog, MOST_LINKS))
    served = served_paths(targets.values(), now=subject.now)
    message = "Nothing of this blog is at the address of this link."
    return [Finding("link_same_site_broken", "T14", message, href) for href in targets if targets[href] not in served]
