"""The accepted formats agree wherever they are listed."""

from blog_engine.conf import BlogSettings
from blog_engine.content.figures import VARIANT_TYPES
from blog_engine.images._decoding import FORMATS, SUFFIXES


def test_every_list_of_formats_has_the_same_ones() -> None:
    by_default = BlogSettings.model_fields["image_content_types"].default

    assert tuple(FORMATS.values()) == tuple(SUFFIXES) == by_default
    assert {SUFFIXES[media_type]: media_type for media_type in VARIANT_TYPES.values()} == VARIANT_TYPES
