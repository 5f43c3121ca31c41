import pytest

from blog_engine.content.media_paths import stored_image_digest

SHA = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("src", "mount", "script_name"),
    [
        (f"/blog/media/{SHA}/a.png", "/blog", ""),
        (f"/blog/media/{SHA}/w480.webp", "/blog", ""),
        (f"https://blog.example/blog/media/{SHA}/a.png", "/blog", ""),
        (f"/media/{SHA}/a.png", "", ""),
        (f"/app/blog/media/{SHA}/a.png", "/blog", "/app"),
        (f"/blog/media/{SHA}/a.png", "/blog", "/app"),
    ],
)
def test_an_address_of_our_media_names_its_digest(src: str, mount: str, script_name: str) -> None:
    found = stored_image_digest(src, site_origin="https://blog.example", mount=mount, script_name=script_name)

    assert found == SHA


@pytest.mark.parametrize(
    "src",
    [
        f"/journal/media/{SHA}/a.png",
        f"/blog/media/{SHA}",
        f"/blog/media/{SHA.upper()}/a.png",
        f"/blog/media/{SHA[1:]}/a.png",
        f"https://other.example/blog/media/{SHA}/a.png",
        f"blog/media/{SHA}/a.png",
        "",
    ],
)
def test_another_address_names_none(src: str) -> None:
    assert stored_image_digest(src, site_origin="https://blog.example", mount="/blog") is None
