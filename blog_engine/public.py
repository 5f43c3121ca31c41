"""The public Python API for hosts; implemented in ``blog_engine.helpers``."""

from blog_engine.helpers import (
    LatestPost,
    PostCover,
    SitemapEntry,
    latest_posts,
    policy_url,
    render_markdown,
    sign_stored_file,
    sitemap_entries,
)

__all__ = [
    "LatestPost",
    "PostCover",
    "SitemapEntry",
    "latest_posts",
    "policy_url",
    "render_markdown",
    "sign_stored_file",
    "sitemap_entries",
]
