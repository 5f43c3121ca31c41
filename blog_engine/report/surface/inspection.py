"""What one report looks at: the site, the posts of its scope, and the pages of those posts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from blog_engine.enums import PolicyKind, ReportScope
from blog_engine.queries.posts import ReportedPost
from blog_engine.report.surface.observation import Observation
from blog_engine.report.surface.site import Page, Site


@dataclass(frozen=True, slots=True)
class Article:
    """A published post with its records, and the page that readers get of it."""

    record: ReportedPost
    page: Page

    @property
    def id(self) -> int:
        """The id of the post."""
        return self.record.post.pk


@dataclass(frozen=True, slots=True)
class Inspection:
    """All that the checks of one report are given.

    ``posts`` are those of the selected page; ``articles`` are the same with their opened pages, and none in the scope
    ``site``, which looks at no article by itself. ``reach`` tells whether crawlers' ways to the pages are tried.
    ``policies`` has the addresses of those that exist.
    """

    site: Site
    scope: ReportScope
    posts: tuple[ReportedPost, ...]
    articles: tuple[Article, ...]
    reach: bool
    policies: Mapping[PolicyKind, str]


ArticleCheck = Callable[[Article, Inspection], Observation]
"""Looks at one article; ``Inspection`` is for what lies around it, such as the titles of the other ones."""

SiteCheck = Callable[[Inspection], Observation]
"""Looks at the site as a whole."""
