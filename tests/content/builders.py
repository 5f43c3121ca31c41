"""Rendering options for tests."""

from collections.abc import Mapping

from blog_engine.content.options import KnownImage, RenderOptions
from blog_engine.content.rendering import Rendered, render
from blog_engine.enums import BodyFormat

DIGEST = "a" * 64
QUAY = KnownImage(path=f"/blog/media/{DIGEST}/quay.png", width=640, height=480)


def render_options(
    *,
    hard_breaks: bool = True,
    site_origin: str | None = "https://blog.example",
    images: Mapping[str, KnownImage] | None = None,
) -> RenderOptions:
    return RenderOptions(
        hard_breaks=hard_breaks,
        site_origin=site_origin,
        mount="/blog",
        script_name="",
        footnote_prefix="fn-7-",
        images={DIGEST: QUAY} if images is None else images,
    )


def render_markdown(body: str, options: RenderOptions | None = None) -> Rendered:
    return render(body, body_format=BodyFormat.MARKDOWN, options=options or render_options())


def render_rich_text(body: str, options: RenderOptions | None = None) -> Rendered:
    return render(body, body_format=BodyFormat.RICH_TEXT, options=options or render_options())
