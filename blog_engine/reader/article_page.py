"""An article page as a whole: its head and its parts, for readers and for previews."""

from dataclasses import dataclass
from datetime import datetime

from blog_engine.addresses import Addresses
from blog_engine.models import Image, Post
from blog_engine.queries.articles import canonical_url, surroundings_of
from blog_engine.queries.labels import label_of
from blog_engine.reader.article import ArticleParts, describe_article
from blog_engine.reader.blog import Blog
from blog_engine.reader.page import (
    HIDDEN,
    INDEXED,
    Crumb,
    Page,
    PageKind,
    default_social_image,
    full_title,
    index_crumb,
)
from blog_engine.reader.structured_data import blog_posting, faq_page


@dataclass(frozen=True, slots=True)
class ArticlePage:
    """What the templates ``post`` and ``preview`` are given."""

    page: Page
    article: ArticleParts


def article_page(post: Post, *, blog: Blog, here: Addresses, now: datetime, kind: PageKind) -> ArticlePage:
    """The page of a post that ``queries.articles`` has read; five queries."""
    around = surroundings_of(post, now=now)
    label = label_of(post, has_responsible_party=blog.has_responsible_party)
    is_public = kind is PageKind.POST
    article = describe_article(post, around, label=label, here=here, now=now, is_public=is_public)
    dates, canonical, image = article.byline.dates, canonical_url(post, here=here), _social_image(post, here=here)
    crumbs = (
        index_crumb(here),
        *([Crumb(article.category.name, article.category.path)] if article.category and is_public else []),
        Crumb(post.title, here.post_path(post.slug)),
    )
    page = Page(
        kind=kind,
        title=full_title(post.search_title.strip() or post.title),
        description=post.search_description.strip() or post.summary,
        canonical=canonical,
        robots=INDEXED if is_public else HIDDEN,
        og_type="article",
        social_image=image,
        published_at=dates.published,
        modified_at=dates.modified,
        crumbs=crumbs,
        main_entity=blog_posting(
            post,
            canonical=canonical,
            dates=dates,
            tags=[name for name, _ in around.tags],
            image=image,
            label=label,
            here=here,
        ),
        more_entities=(faq_page(around.faq),) if around.faq else (),
        here=here,
    )
    return ArticlePage(page, article)


def _social_image(post: Post, *, here: Addresses) -> str | None:
    image: Image | None = post.social_image or post.cover_image
    if image:
        return here.absolute(here.media_path(image.sha256, image.filename))
    return default_social_image(here)
