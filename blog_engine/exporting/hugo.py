"""The files that make an export a site of Hugo: its settings and layouts."""

from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.exporting.content import TAXONOMIES
from blog_engine.exporting.targets import ExportTarget, quoted


def write_layouts(target: ExportTarget) -> None:
    """Copy the layouts, which are the same in every export."""
    site = Path(__file__).with_name("site")
    for file in sorted(site.rglob("*")):
        if file.is_file():
            target.write(file.relative_to(site).as_posix(), file.read_bytes())


def write_settings(target: ExportTarget, *, urls: BlogURLs) -> None:
    """Write ``hugo.toml``, in the active language."""
    settings = get_settings()
    params = {
        "lang": settings.language,
        "direction": settings.direction,
        "title_suffix": settings.title_suffix,
        "publisher": settings.publisher.name,
        "index": urls.index_path(),
        "search": urls.search_path(),
        "feed_size": settings.feed_size,
        "full_feeds": settings.feed_content == "full",
        "primary_list": TAXONOMIES[settings.primary_list],
    }
    words = {
        "all_posts": _("All posts"),
        "correction": _("Correction"),
        "disclosure": _("Disclosure"),
        "faq": _("Frequently asked questions"),
        "next": _("Next page"),
        "not_found": pgettext("blog", "Page not found"),
        "nothing": _("Nothing has been published here yet."),
        "previous": _("Previous page"),
        "search": pgettext("blog", "Search"),
        "search_articles": _("Search articles"),
        "updated": _("Updated %(date)s") % {"date": "%s"},
    }
    lines = [
        f"baseURL = {quoted(f'{urls.origin}/')}",
        f"title = {quoted(settings.site_name)}",
        'disableKinds = ["taxonomy", "RSS", "sitemap"]',
        # As in the blog, readers see no HTML that is in the middle of Markdown.
        'ignoreLogs = ["warning-goldmark-raw-html"]',
        "",
        "[pagination]",
        f"pagerSize = {settings.posts_per_page}",
        "",
        "[taxonomies]",
        *(f"{kind.value} = {quoted(name)}" for kind, name in TAXONOMIES.items()),
        "",
        "[outputs]",
        'home = ["html"]',
        'section = ["html"]',
        'page = ["html"]',
        'term = ["html", "atom", "jsonfeed"]',
        "",
        # Otherwise a post without a date would get another one.
        "[frontmatter]",
        'date = ["date"]',
        'lastmod = ["lastmod"]',
        'publishDate = ["publishDate"]',
        "",
        # For posts whose HTML is no longer in ``assets``.
        "[markup.goldmark.extensions]",
        "definitionList = true",
        "[markup.goldmark.extensions.extras.mark]",
        "enable = true",
        "[markup.goldmark.extensions.typographer]",
        "disable = true",
        "[markup.goldmark.parser]",
        'autoHeadingIDType = "github"',
        "[markup.goldmark.renderer]",
        f"hardWraps = {quoted(settings.markdown_hardbreaks)}",
        "[markup.goldmark.parser.attribute]",
        "title = false",
        "[markup.highlight]",
        "noClasses = true",
        "",
        # Bodies in HTML.
        "[security]",
        'allowContent = ["! ^text/org$"]',
        "",
        *_format("atom", "application/atom+xml", base="feed"),
        *_format("jsonfeed", "application/feed+json", base="feed"),
        *_format("searchdata", "application/json", base="search"),
        *_format("sitemapxml", "application/xml", base="sitemap"),
        '[mediaTypes."application/atom+xml"]',
        'suffixes = ["xml"]',
        '[mediaTypes."application/feed+json"]',
        'suffixes = ["json"]',
        "",
        "[params]",
        *(f"{name} = {quoted(value)}" for name, value in params.items()),
        "",
        "[params.words]",
        *(f"{name} = {quoted(value)}" for name, value in words.items()),
        "",
    ]
    target.write("hugo.toml", "\n".join(lines))


def _format(name: str, media_type: str, *, base: str) -> list[str]:
    return [
        f"[outputFormats.{name}]",
        f"mediaType = {quoted(media_type)}",
        f"baseName = {quoted(base)}",
        "isPlainText = true",
        "",
    ]
