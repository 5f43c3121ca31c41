import pytest

from blog_engine.content.figures import own_media_path, stored_image_digest

SHA = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("src", "mount", "script_name"),
    [
        (f"/blog/media/{SHA}/a.png", "/blog", ""),
        (f"/blog/media/{SHA}/w480.webp", "/blog", ""),
        (f"https://blog.example/blog/media/{SHA}/a.png", "/blog", ""),
        (f"HTTPS://BLOG.example:443/blog/media/{SHA}/a.png", "/blog", ""),
        (f"//blog.example/blog/media/{SHA}/a.png", "/blog", ""),
        (f"https:\\\\blog.example\\blog\\media\\{SHA}\\a.png", "/blog", ""),
        (f"https://blog.example/other/../blog/%6dedia/{SHA}/a.png?download#top", "/blog", ""),
        (f"/media/{SHA}/a.png", "", ""),
        (f"/app/blog/media/{SHA}/a.png", "/blog", "/app"),
        (f"/blog/media/{SHA}/a.png", "/blog", "/app"),
    ],
)
def test_a_url_of_our_media_names_its_digest(src: str, mount: str, script_name: str) -> None:
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
        f"https://blog.example:8443/blog/media/{SHA}/a.png",
        f"http://blog.example/blog/media/{SHA}/a.png",
        f"https://blog.example:port/blog/media/{SHA}/a.png",
        f"//[/blog/media/{SHA}/a.png",
        f"/blog/media/../{SHA}/a.png",
        f"blog/media/{SHA}/a.png",
        "",
    ],
)
def test_another_url_names_none(src: str) -> None:
    assert stored_image_digest(src, site_origin="https://blog.example", mount="/blog") is None


def test_without_an_origin_only_paths_are_ours() -> None:
    path = f"/blog/media/{SHA}/a.png"

    assert stored_image_digest(path, site_origin=None, mount="/blog") == SHA
    assert stored_image_digest(f"https://blog.example{path}", site_origin=None, mount="/blog") is None


@pytest.mark.parametrize(("src", "path"), [("/blog/media/lost.png", "lost.png"), ("/blog/mediation/x", None)])
def test_a_url_under_our_media_is_ours_also_when_it_names_no_image(src: str, path: str | None) -> None:
    assert own_media_path(src, site_origin=None, mount="/blog") == path
