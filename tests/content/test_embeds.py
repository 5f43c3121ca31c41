"""Content of other sites that readers load by a click, and diagrams that a script of the host draws."""

from dataclasses import replace

import pytest

from blog_engine.content.plain_text import plain_text
from blog_engine.content.syndication import syndicated_html
from blog_engine.enums import BodyFormat, EmbedProvider
from tests.content.bodies import faults, render_markdown, render_options, render_rich_text
from tests.requirements import requirement

ALL = replace(render_options(), embeds=frozenset(EmbedProvider))
DRAWN = replace(render_options(), diagrams=frozenset({"mermaid"}))
VIDEO = "https://youtu.be/dQw4w9WgXcQ"


@requirement("rendering.embeds")
@pytest.mark.parametrize(
    ("url", "frame"),
    [
        (VIDEO, "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"),
        (f"{VIDEO}?si=Abc_1&t=42", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=42"),
        (
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s",
            "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=42",
        ),
        ("https://m.youtube.com/shorts/dQw4w9WgXcQ", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"),
        ("https://vimeo.com/76979871", "https://player.vimeo.com/video/76979871?dnt=1"),
        ("https://vimeo.com/76979871/0123abcdef", "https://player.vimeo.com/video/76979871?dnt=1&amp;h=0123abcdef"),
        (
            "https://open.spotify.com/track/4uLU6hMCjMI75M1A2tKUQC?si=x",
            "https://open.spotify.com/embed/track/4uLU6hMCjMI75M1A2tKUQC",
        ),
        (
            "https://www.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ",
            "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
        ),
        (
            "https://www.youtube.com/watch?list=PL123&v=dQw4w9WgXcQ",
            "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
        ),
        ("https://music.youtube.com/watch?v=dQw4w9WgXcQ", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"),
        ("https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"),
        ("https://youtu.be/dQw4w9WgXcQ?t=1m30s", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=90"),
        ("https://youtu.be/dQw4w9WgXcQ#t=1h", "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=3600"),
        (
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ&start=90",
            "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=90",
        ),
        ("https://vimeo.com/76979871?share=copy", "https://player.vimeo.com/video/76979871?dnt=1"),
        ("https://vimeo.com/76979871?h=0123abcdef", "https://player.vimeo.com/video/76979871?dnt=1&amp;h=0123abcdef"),
        (
            "https://player.vimeo.com/video/76979871?h=0123abcdef",
            "https://player.vimeo.com/video/76979871?dnt=1&amp;h=0123abcdef",
        ),
        ("https://vimeo.com/channels/staffpicks/76979871#t=30s", "https://player.vimeo.com/video/76979871?dnt=1#t=30s"),
        ("https://codepen.io/ann/pen/abcXYZ", "https://codepen.io/ann/embed/abcXYZ?default-tab=result"),
    ],
)
def test_a_bare_url_in_a_paragraph_of_its_own_can_be_loaded(url: str, frame: str) -> None:
    html = render_markdown(f"Look:\n\n{url}", ALL).html

    link = url.replace("&", "&amp;")
    assert f'<button type="button" class="blog-embed-load" hidden data-blog-load="{frame}" ' in html
    assert f'<figcaption><a href="{link}" rel="noopener" id="fn-7-embed-1">{link}</a></figcaption></figure>' in html
    assert faults(html) == []


@requirement("rendering.embeds")
def test_the_button_names_the_provider() -> None:
    assert ">Load video from YouTube</button>" in render_markdown(VIDEO, ALL).html
    assert ">Load content from CodePen</button>" in render_markdown("https://codepen.io/ann/pen/abcXYZ", ALL).html


@requirement("rendering.embeds.names")
def test_buttons_and_frames_are_told_apart() -> None:
    html = render_markdown(f'{VIDEO}\n\n[https://vimeo.com/1](https://vimeo.com/1 "A talk")', ALL).html

    assert f' data-blog-title="YouTube: {VIDEO}" aria-describedby="fn-7-embed-1">Load video from YouTube<' in html
    assert ' data-blog-title="A talk" aria-describedby="fn-7-embed-2">Load video from Vimeo<' in html
    assert f'<a href="{VIDEO}" rel="noopener" id="fn-7-embed-1">' in html
    assert ' id="fn-7-embed-2">https://vimeo.com/1</a>' in html


@requirement("rendering.embeds")
@pytest.mark.parametrize(
    "body",
    [
        f"See {VIDEO}",
        f"[A talk]({VIDEO})",
        f"[https://evil.example]({VIDEO})",
        "https://www.youtube.com/playlist?list=PL123",
        "https://www.youtube.com/watch?list=dQw4w9WgXcQ",
        "https://user@youtu.be/dQw4w9WgXcQ",
        f"{VIDEO}\n{VIDEO}",
        f"`{VIDEO}`",
        "http://youtu.be/dQw4w9WgXcQ",
        "https://youtu.be/short",
        "https://youtu.be.evil.example/dQw4w9WgXcQ",
        "https://evil.example/https://youtu.be/dQw4w9WgXcQ",
        f'{VIDEO}?x="y',
        "https://codepen.io/ann/pen/../../evil",
        "https://example.org/",
    ],
)
def test_any_other_link_stays_a_link(body: str) -> None:
    assert "blog-embed" not in render_markdown(body, ALL).html


@requirement("rendering.embeds")
def test_only_the_providers_of_the_setting_are_embedded() -> None:
    only_vimeo = replace(render_options(), embeds=frozenset({EmbedProvider.VIMEO}))

    assert "blog-embed" not in render_markdown(VIDEO).html
    assert "blog-embed" not in render_markdown(VIDEO, only_vimeo).html


@requirement("rendering.embeds")
def test_a_link_in_rich_text_is_embedded_when_its_text_is_the_url() -> None:
    assert "data-blog-load" in render_rich_text(f'<p><a href="{VIDEO}">{VIDEO}</a></p>', ALL).html
    assert "data-blog-load" not in render_rich_text(f'<p><a href="{VIDEO}">A talk</a></p>', ALL).html


@requirement("rendering.embeds.elsewhere")
def test_feeds_and_plain_text_have_the_link() -> None:
    rendered = render_markdown(VIDEO, ALL)

    link = f'<a href="{VIDEO}" rel="noopener">{VIDEO}</a>'
    assert syndicated_html(rendered.html, url="https://blog.example/a") == (
        f"<figure><figcaption>{link}</figcaption></figure>\n"
    )
    assert rendered.text is not None
    assert rendered.text.plain == plain_text(VIDEO, body_format=BodyFormat.MARKDOWN) == VIDEO
    assert rendered.links == (VIDEO,)


@requirement("rendering.diagrams")
def test_a_diagram_is_a_figure_around_its_source() -> None:
    html = render_markdown("```Mermaid\ngraph TD\n```", DRAWN).html

    plain = render_markdown("```Mermaid\ngraph TD\n```").html
    assert html == f'<figure class="blog-diagram" data-blog-diagram="mermaid">{plain.rstrip()}</figure>\n'
    assert faults(html) == []


@requirement("rendering.diagrams")
def test_code_in_other_languages_is_no_diagram() -> None:
    body = "```python\nx\n```\n\n    indented\n\n`mermaid`"

    assert render_markdown(body, DRAWN).html == render_markdown(body).html
