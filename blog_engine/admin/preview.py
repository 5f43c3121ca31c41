"""The preview of the editor: the article page of what the form holds, made in memory."""

from copy import copy
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import filesizeformat
from django.utils import translation
from django.utils.translation import gettext as _

from blog_engine.admin._origin_words import stored_origin
from blog_engine.admin.base import Permission
from blog_engine.admin.editor import IMAGES, EditorView
from blog_engine.admin.post_form import COLUMNS, PostForm
from blog_engine.admin.reviews import article_preview, unlisted
from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.content.options import TooMuchMarkup
from blog_engine.content.plain_text import first_words, texts_of_body
from blog_engine.content.scripts import text_length
from blog_engine.content.text import fold
from blog_engine.enums import BodyFormat
from blog_engine.models import Author, Category, ConnectionDeclaration, NamedAuthor, Post, Series
from blog_engine.queries.articles import Surroundings, corrections_of, public_translations_of
from blog_engine.queries.images import images_with_ids
from blog_engine.queries.nearby import nearby_posts, series_around
from blog_engine.queries.records import same_named, tags_named
from blog_engine.rendering.bodies import outline_of, render_new_body
from blog_engine.rendering.options import rendering_key
from blog_engine.rules.slugs import slug_for_post, slug_for_record

_FOOTNOTES: Final = "fn-preview-"


class PostPreviewView(EditorView):
    """The article page of the sent form, as readers would see it.

    It writes nothing and fetches nothing. The body is rendered within the limits of a write: one that is too long or
    has too much markup gives a page that says so. An uploaded file is not part of it until it is stored.
    The editor shows the page in a frame without scripts (``srcdoc``), which no header needs to allow.
    """

    permissions = (Permission.WRITE, Permission.PUBLISH)
    is_once = False

    def post(self, request: HttpRequest, post_id: int | None = None) -> HttpResponse:
        form = PostForm(request.POST, post=self.stored_post(post_id) if post_id else None)
        form.is_valid()
        values = {name: form.cleaned_data.get(name, form.stored_value(name)) for name in form.EDITED}
        with translation.override(get_settings().catalogue):
            post = _post_of(form.post, values)
            try:
                _render(post)
            except TooMuchMarkup as fault:
                return unlisted(HttpResponse(str(fault), content_type="text/plain; charset=utf-8"))
            return article_preview(request, post, now=self.now, around=self._around(post, form, values))

    def _around(self, post: Post, form: PostForm, values: dict[str, Any]) -> Surroundings:
        stored = form.post
        is_shown = stored is None or not form.fields["faq"].disabled
        return Surroundings(
            tags=_tags(values["tags"], stored),
            faq=tuple(FaqPair(*pair) for pair in (values["faq"] if is_shown else form.shown["faq"])),
            corrections=corrections_of(stored, now=self.now) if stored and stored.public_revision_id else (),
            declaration=_declaration(values),
            series=series_around(post),
            nearby=nearby_posts(post),
            translations=public_translations_of(stored) if stored else (),
        )


def _render(post: Post) -> None:
    """Set what follows from the body; raises ``TooMuchMarkup`` for one that no write accepts."""
    limit = get_settings().max_body_bytes
    if len(post.body.encode()) > limit:
        raise TooMuchMarkup(_("A text has at most %(limit)s: shorten it.") % {"limit": filesizeformat(limit)})
    rendered = render_new_body(post.body, post.body_format, footnote_prefix=_FOOTNOTES, language=post.language)
    text = rendered.text
    if text is None:
        text = texts_of_body(post.body, body_format=BodyFormat(post.body_format))
    post.body_html, post.outline, post.rendered_with = rendered.html, outline_of(rendered), rendering_key(post.language)
    length = text_length(text.plain)
    post.excerpt, post.word_count = first_words(text), length.word_count
    post.reading_time_minutes = length.reading_time_minutes


def _post_of(stored: Post | None, values: dict[str, Any]) -> Post:
    """Return a copy of the stored post, or a new one, with these values, which is not stored."""
    post = copy(stored) if stored else Post(pk=0)
    post.is_reviewed = stored.is_reviewed if stored else False
    for one in COLUMNS:
        setattr(post, one.stored_in, one.empty if values[one.name] == "" else values[one.name])
    post.provenance = stored_origin(values["provenance"])["provenance"]
    post.title = values["title"] or _("No title yet")
    post.slug = values["slug"] or (stored.slug if stored else slug_for_post(post.title, language=post.language))
    if stored is None or values["author"] != stored.author_name:
        post.author_name = values["author"] or get_settings().default_author.name
        post.author = _author(post.author_name)
    if values["coauthors"] != (stored.byline[1:] if stored else ()):
        post.coauthors = tuple(NamedAuthor(name, _author(name)) for name in values["coauthors"])
        post.coauthor_names = "\n".join(values["coauthors"])
    if values["category"] != (post.category.name if post.category else ""):
        post.category = _category(values["category"])
    if values["series"] != (post.series.name if post.series else ""):
        post.series = same_named(Series, values["series"])
    images = {image.pk: image for image in (post.cover_image, post.social_image) if image}
    images |= images_with_ids({values[name] for name in IMAGES if values[name]} - images.keys())
    post.cover_image, post.social_image = images.get(values["cover_image"]), images.get(values["social_image"])
    return post


def _author(name: str) -> Author:
    found = same_named(Author, name)
    return found or Author(name=name, slug=slug_for_record(name, kind="author"))


def _category(name: str) -> Category | None:
    if not name:
        return None
    return same_named(Category, name) or Category(name=name, slug=slug_for_record(name, kind="category"))


def _tags(names: tuple[str, ...], post: Post | None) -> tuple[tuple[str, str], ...]:
    """Return names and slugs of tags; a query if the post has others."""
    spelled = {fold(name): name for name in names}
    known = {one.tag.key: one.tag for one in post.taggings.all()} if post else {}
    known |= {tag.key: tag for tag in tags_named([spelled[key] for key in spelled.keys() - known.keys()])}
    return tuple(
        (known[key].name, known[key].slug) if key in known else (name, slug_for_record(name, kind="tag"))
        for key, name in spelled.items()
    )


def _declaration(values: dict[str, Any]) -> ConnectionDeclaration | None:
    if not values["declared_by"]:
        return None
    connections = [{"party": party, "relation": relation} for party, relation in values["connections"]]
    return ConnectionDeclaration(connections=connections, third_party_paid=values["third_party_paid"])
