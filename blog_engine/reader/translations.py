"""The versions of an article in other languages."""

from typing import NamedTuple

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.conf.languages import name_of_language
from blog_engine.models import Post, Translation
from blog_engine.queries.translations import languages_of
from blog_engine.reader.page import Alternate


class TranslationLink(NamedTuple):
    """A version of the article in another language."""

    name: str
    """What speakers of the language call it."""
    language: str
    path: str


def alternates_of(
    post: Post | Translation, translations: tuple[Translation, ...], *, urls: BlogURLs
) -> tuple[Alternate, ...]:
    """Return the page and its versions in other languages; those whose original is elsewhere are left out."""
    own = get_settings().language
    found = languages_of([post, *translations], default=own)
    alternates = [Alternate(language, urls.post_url(slug)) for language, slug in found.items()]
    default = next((one for one in alternates if one.language.lower() == own.lower()), None)
    return (*alternates, *([Alternate("x-default", default.url)] if default else []))


def translation_links(translations: tuple[Translation, ...], *, urls: BlogURLs) -> tuple[TranslationLink, ...]:
    """Return the links to the versions of an article in other languages, in the order of their names."""
    own = get_settings().language
    spoken = ((other.language or own, other.slug) for other in translations)
    links = (TranslationLink(name_of_language(tag), tag, urls.post_path(slug)) for tag, slug in spoken)
    return tuple(sorted(links))
