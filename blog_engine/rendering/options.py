"""The settings of the blog as options of rendering, and the key of a rendering."""

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import override

from blog_engine.blog_urls import blog_location, mount, script_name
from blog_engine.conf import get_settings, markdown_plugins
from blog_engine.conf.languages import catalogue_of
from blog_engine.content.figures import variant_formats
from blog_engine.content.languages import direction_of_language
from blog_engine.content.options import RENDERER_VERSION, ImageOrigin, KnownImage, RenderLabels, RenderOptions
from blog_engine.content.source_types import AI_SOURCE_TYPES
from blog_engine.rules.label import image_notice

NO_IMAGES: Final[Mapping[str, KnownImage]] = MappingProxyType({})
NO_ORIGINS: Final[Mapping[str, ImageOrigin]] = MappingProxyType({})


def rendering_key(language: str = "") -> str:
    """Return a digest of everything that a rendering depends on, except the body.

    ``language`` is that of the post; empty for the language of the blog.
    """
    settings = get_settings()
    return _rendering_key(
        (_catalogue(language), _direction(language)),
        variant_formats(),
        (settings.markdown_hardbreaks, settings.public_base_url),
        (*map(_name_of, settings.markdown_plugins), "|", *sorted(settings.diagrams), "|", *sorted(settings.embeds)),
        script_name(),
        mount(),
    )


@lru_cache(maxsize=64)
def _rendering_key(
    words: tuple[str, str],
    formats: tuple[str, ...],
    written: tuple[bool, str | None],
    extras: tuple[str, ...],
    script_name: str,
    mount: str,
) -> str:
    catalogue, direction = words
    labels = repr(_labels(catalogue))
    parts = [RENDERER_VERSION, formats, *written, extras, labels, direction, script_name, mount]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _name_of(plugin: object) -> str:
    """Return the name that identifies a plugin; a callable whose code changes keeps it."""
    if isinstance(plugin, str):
        return plugin
    return f"{getattr(plugin, '__module__', '')}.{getattr(plugin, '__qualname__', type(plugin).__qualname__)}"


def render_options(
    *,
    footnote_prefix: str,
    language: str = "",
    images: Mapping[str, KnownImage] = NO_IMAGES,
    origins: Mapping[str, ImageOrigin] = NO_ORIGINS,
) -> RenderOptions:
    """Return the options for a body in a language.

    ``images`` are the stored ones that it shows, and ``origins`` where these come from, by their SHA-256.
    """
    settings = get_settings()
    return RenderOptions(
        hard_breaks=settings.markdown_hardbreaks,
        **blog_location(),
        footnote_prefix=footnote_prefix,
        images=images,
        origins=origins,
        labels=_labels(_catalogue(language)),
        direction=_direction(language),
        plugins=markdown_plugins(),
        diagrams=frozenset(settings.diagrams),
        embeds=frozenset(settings.embeds),
    )


def _catalogue(language: str) -> str:
    """Return Django's language for the words in a body: that of the post as far as Django knows it, or the blog's."""
    return catalogue_of(language) or get_settings().catalogue


def _direction(language: str) -> str:
    return direction_of_language(language) if language else get_settings().direction


def _labels(language: str) -> RenderLabels:
    with override(language):
        return RenderLabels(
            copy=_("Copy"),
            copy_code=_("Copy code"),
            code=_("Code"),
            code_in=_("Code: %(language)s"),
            table=_("Table"),
            formula=_("Formula"),
            load_video=_("Load video from %(provider)s"),
            load_content=_("Load content from %(provider)s"),
            full_size=_("Image in full size"),
            full_size_of=_("Image in full size: %(text)s"),
            link_to=_("Link to %(heading)s"),
            footnotes=_("Footnotes"),
            back_to_reference=_("Back to reference %(number)s"),
            ai_images={term: image_notice(term) for term in sorted(AI_SOURCE_TYPES)},
            alerts={
                "note": _("Note"),
                "tip": _("Tip"),
                "important": _("Important"),
                "warning": _("Warning"),
                "caution": _("Caution"),
            },
        )
