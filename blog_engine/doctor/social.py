"""The probe of the pictures of shared links."""

from collections.abc import Iterator
from typing import Final

from blog_engine.conf import BlogSettings
from blog_engine.doctor.base import ProbeContext, Verdict, enumeration, require_tables, valid_settings, verdict
from blog_engine.images.fonts import fonts_at, has_shaping, writing_systems_of
from blog_engine.images.social import letters_without_font
from blog_engine.queries.social import newest_without_image

NEWEST_PICTURES: Final = 500


def probe_social_pictures(context: ProbeContext) -> Verdict:
    """Report public posts whose title or author cannot be drawn on this machine, and paths without fonts."""
    settings = valid_settings()
    if not settings.social_pictures.enabled:
        return verdict(ok="No pictures of shared links are drawn, because social_pictures.enabled is off.")
    require_tables()
    return verdict(
        warnings=[*_paths_without_fonts(settings), *_posts_without_picture(settings)],
        ok="Posts without an image get a picture for shared links.",
    )


def _paths_without_fonts(settings: BlogSettings) -> Iterator[str]:
    empty = [path for path in settings.social_pictures.fonts if not fonts_at(path)]
    if empty:
        yield f"social_pictures.fonts: there is no font at {enumeration(empty)}."


def _posts_without_picture(settings: BlogSettings) -> Iterator[str]:
    lacking = {
        post.pk: missing
        for post in newest_without_image(NEWEST_PICTURES)
        if (missing := letters_without_font(post.title, post.author_name, settings.site_name))
    }
    if not lacking:
        return
    scripts = ", ".join(writing_systems_of("".join(lacking.values())))
    remedy = (
        "Install fonts for them, such as Debian's fonts-noto-core and fonts-noto-cjk, name them in "
        "social_pictures.fonts, or set social_pictures.enabled to False."
    )
    shaping = "" if has_shaping() else " Scripts with joined letters or marks also need libfribidi."
    yield (
        f"Shared links show the default image of posts with letters that no font has ({scripts}): "
        f"{enumeration([str(pk) for pk in lacking])}. {remedy}{shaping}"
    )
