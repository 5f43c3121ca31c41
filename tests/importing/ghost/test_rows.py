"""What the rows of an export become: each rule on an export that is written for it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from blog_engine.importing.ghost.source import open_ghost
from blog_engine.importing.source import ImageUse, Item, LossKind, Omitted, SourcePost, SourceRefused, SourceStatus
from tests.importing.ghost.exports import read, read_post, row, write_export
from tests.requirements import requirement

NAME = "blog.ghost.json"


def write_folder(folder: Path, *posts: dict[str, object], **files: str) -> Path:
    """Write an export with files beside it, such as ``routes_yaml``."""
    write_export(folder / NAME, *posts, tags=[{"id": "t", "name": "News", "slug": "news"}])
    for name, content in files.items():
        (folder / name.replace("_", ".")).write_text(content, "utf-8")
    return folder


def losses_of(post: SourcePost) -> list[tuple[LossKind, str]]:
    return [(loss.kind, loss.message) for loss in post.losses]


@requirement("import.ghost.dates")
@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2024-01-02 03:04:05", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02T03:04:05.000Z", datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2024-01-02T03:04:05+02:00", datetime(2024, 1, 2, 1, 4, 5, tzinfo=UTC)),
        (1704164645000, datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("1969-12-31 23:59:59", datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_each_form_of_a_time_is_read(tmp_path: Path, written: object, expected: datetime) -> None:
    assert read_post(tmp_path, published_at=written).published_at == expected


@requirement("import.ghost.dates")
@pytest.mark.parametrize("written", ["soon", "2024-13-01 00:00:00", 10**30, "0001-01-01T00:00:00+14:00", ["2024"]])
def test_what_is_no_time_is_named(tmp_path: Path, written: object) -> None:
    post = read_post(tmp_path, published_at=written)

    assert post.published_at is None
    assert post.published_evidence is None
    assert [kind for kind, _ in losses_of(post)] == [LossKind.DATE]


@requirement("import.ghost.status")
@pytest.mark.parametrize(
    "values",
    [
        {"status": "published", "visibility": "tiers"},
        {"status": "scheduled", "visibility": "members"},
        {"status": "published", "visibility": "label:vip"},
        *({"status": status} for status in ("unheard-of", ["published"], None)),
    ],
)
def test_what_not_everyone_could_read_is_a_draft_and_named(tmp_path: Path, values: dict[str, object]) -> None:
    post = read_post(tmp_path, **values)

    assert post.status is SourceStatus.DRAFT
    assert [kind for kind, _ in losses_of(post)] == [LossKind.WITHHELD]
    assert (post.url, post.former_urls) == (None, ())


@requirement("import.ghost.status")
def test_a_draft_for_members_is_a_draft_only(tmp_path: Path) -> None:
    post = read_post(tmp_path, status="draft", visibility="members", published_at=None)

    assert (post.status, post.losses) == (SourceStatus.DRAFT, ())


@requirement("import.ghost.pages")
def test_pages_of_the_first_versions_are_pages(tmp_path: Path) -> None:
    values = row(page=1)
    del values["type"]

    assert [type(item) for item in read(write_export(tmp_path / NAME, values))] == [Omitted]


@requirement("import.ghost.fields")
def test_columns_of_older_versions_are_read(tmp_path: Path) -> None:
    tables = {"users": [{"id": "7", "name": "Olga"}], "posts_meta": [{"post_id": "1", "meta_title": "Newer"}]}

    post = read_post(tmp_path, tables=tables, author_id="7", meta_description="Older", featured=True)

    assert (post.author, post.texts) == ("Olga", {"search_title": "Newer", "search_description": "Older"})
    assert post.is_featured


@requirement("import.ghost.fields")
def test_the_image_for_social_media_is_the_first_of_two(tmp_path: Path) -> None:
    post = read_post(tmp_path, og_image="__GHOST_URL__/content/images/a.png", twitter_image="https://x.example/b.png")

    assert post.social_image == ImageUse(url="https://old.example/content/images/a.png")
    assert losses_of(post) == [(LossKind.FIELD, "The field twitter_image has no place here.")]


def test_urls_are_paths_when_the_blog_is_not_known(tmp_path: Path) -> None:
    html = '<a href="__GHOST_URL__/x/">x</a> <a href="__GHOST_URL__">home</a>'
    (post,) = read(write_export(tmp_path / NAME, row(html=html)), url=None)

    assert isinstance(post, SourcePost)
    assert (post.url, post.base) == ("/a-post/", "/a-post/")
    assert post.body == '<a href="/x/">x</a> <a href="/">home</a>'


@pytest.mark.parametrize(
    ("name", "url", "expected"),
    [
        ("small-boats.ghost.2026-11-23-14-43-09.json", None, "small-boats"),
        ("export.json", None, "export"),
        ("x.ghost.json", "https://old.example/", "old.example"),
    ],
)
def test_the_name_of_the_blog_is_the_same_for_each_export(
    tmp_path: Path, name: str, url: str | None, expected: str
) -> None:
    assert open_ghost(write_export(tmp_path / name, row()), url=url, media=None).blog == expected


@requirement("import.ghost.source")
def test_one_export_is_found_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "inner" / "images").mkdir(parents=True)
    write_export(tmp_path / "inner" / NAME, row())
    (tmp_path / "inner" / "images" / "a.png").write_bytes(b"a")
    (tmp_path / "inner" / "package.json").write_text("{}")

    source = open_ghost(tmp_path, url=None, media=None)

    assert [item.title for item in source.items() if isinstance(item, SourcePost)] == ["A post"]
    assert source.image_file("https://old.example/content/images/a.png") == tmp_path / "inner" / "images" / "a.png"


@requirement("import.ghost.source")
@pytest.mark.parametrize("names", [(), ("a.ghost.json", "b.ghost.json"), ("notes.txt",)])
def test_a_folder_without_exactly_one_export_is_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    for name in names:
        write_export(tmp_path / name, row())

    with pytest.raises(SourceRefused, match="one export was expected"):
        open_ghost(tmp_path, url=None, media=None)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceRefused, match="no such file"):
        open_ghost(tmp_path / "blog.json", url=None, media=None)


ROUTES = """
routes:
  /: home
collections:
  /news/:
    permalink: /news/{year}/{month}/{day}/{slug}/
    filter: tag:news
  /featured/:
    permalink: /featured/{id}/
    filter: featured:true
  /:
    permalink: /{primary_tag}/{slug}/
"""


@requirement("import.ghost.urls")
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"id": "1"}, "/news/2024/01/02/a-post/"),
        ({"id": "2", "featured": 1}, "/featured/2/"),
        ({"id": "3"}, "/all/a-post/"),
    ],
)
def test_routes_say_where_posts_were(tmp_path: Path, values: dict[str, object], expected: str) -> None:
    tables = {"posts_tags": [{"post_id": "1", "tag_id": "t"}], "tags": [{"id": "t", "name": "News", "slug": "news"}]}
    write_export(tmp_path / NAME, row(**values), **tables)
    (tmp_path / "routes.yaml").write_text(ROUTES)

    (post,) = (item for item in read(tmp_path) if isinstance(item, SourcePost))

    assert post.url == f"https://old.example{expected}"


@requirement("import.ghost.urls")
@pytest.mark.parametrize(
    "routes",
    [
        "collections:\n  /:\n    permalink: /{slug}/\n    filter: 'tag:a+tag:b'\n",
        "collections:\n  /:\n    permalink: /{mood}/{slug}/\n",
        "collections:\n  /:\n    permalink: /{slug}/\n    filter: tag:other\n",
    ],
)
def test_a_post_whose_url_is_not_known_is_named(tmp_path: Path, routes: str) -> None:
    (post,) = read(write_folder(tmp_path, row(), routes_yaml=routes))

    assert isinstance(post, SourcePost)
    assert (post.url, post.status) == (None, SourceStatus.PUBLISHED)
    assert [kind for kind, _ in losses_of(post)] == [LossKind.REDIRECT]


@requirement("import.ghost.redirects")
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("redirects_yaml", "301:\n  /old/one/: /a-post/\n  ^/tags/(.*)$: /tag/$1\n302:\n  /old\\.php: /a-post\n"),
        (
            "redirects_json",
            '[{"from": "^/old/one/$", "to": "/a-post/", "permanent": true}, {"from": "/tags/(.*)", "to": "/tag/$1"},'
            ' {"from": "/old\\\\.php", "to": "/a-post"}]',
        ),
    ],
)
def test_redirects_to_posts_come_along(tmp_path: Path, name: str, content: str) -> None:
    items = read(write_folder(tmp_path, row(), **{name: content}))

    assert [item.former_urls for item in items if isinstance(item, SourcePost)] == [
        ("https://old.example/old/one/", "https://old.example/old.php")
    ]
    assert [(item.what, "tags" in item.title) for item in items if isinstance(item, Omitted)] == [
        ("redirect with a pattern", True)
    ]


@requirement("import.ghost.redirects")
def test_amp_pages_redirect_when_amp_was_on(tmp_path: Path) -> None:
    post = read_post(tmp_path, tables={"settings": [{"key": "amp", "value": "true"}]})

    assert post.former_urls == ("https://old.example/a-post/amp/",)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("routes_yaml", "collections: [unclosed"),
        ("routes_yaml", "collections: &a [*a]\n"),
        ("routes_yaml", "[" * 5000),
        ("redirects_json", "{"),
        ("redirects_json", "[" * 100_000),
        ("redirects_yaml", "x" * 2_000_000),
    ],
)
def test_a_broken_or_hostile_settings_file_is_refused(tmp_path: Path, name: str, content: str) -> None:
    with pytest.raises(SourceRefused, match=name.replace("_", "[.]")):
        read(write_folder(tmp_path, row(), **{name: content}))


@requirement("import.ghost.terms")
def test_the_first_public_tag_is_the_category(tmp_path: Path) -> None:
    tags = [
        {"id": "a", "name": "#hidden", "slug": "hash-hidden", "visibility": "internal"},
        {"id": "b", "name": "Second", "slug": "second", "visibility": "public"},
        {"id": "c", "name": "First", "slug": "first"},
    ]
    order = {"a": 0, "b": 2, "c": 1}
    related = [{"post_id": "1", "tag_id": tag, "sort_order": place} for tag, place in order.items()]

    post = read_post(tmp_path, tables={"tags": tags, "posts_tags": [*related, {"post_id": "1", "tag_id": "none"}]})

    assert (post.category, post.tags) == ("First", ("Second",))
    assert losses_of(post) == [(LossKind.FIELD, "The internal tag #hidden is left out.")]


def test_strange_values_are_no_error(tmp_path: Path) -> None:
    values = {"title": 5, "slug": {"a": 1}, "html": ["<p>"], "uuid": 3, "featured": [1], "custom_excerpt": {}}
    values |= {"feature_image": 7, "author_id": {"x": "y"}, "canonical_url": False}

    post = read_post(tmp_path, **values)

    assert (post.title, post.slug, post.body, post.author) == ("(Untitled)", None, "", None)


def test_half_a_character_does_not_stop_the_import(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_text('{"db":[{"data":{"posts":[{"id":"1","title":"A\\ud83d","slug":"a","status":"draft"}]}}]}')

    (post,) = read(path)

    assert post.title == "A\ufffd"


@requirement("import.ghost.whole")
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"db": []}',
        b'{"db": [{"meta": {}}]}',
        b'{"db": [{"data": []}]}',
        b'{"db": [{"data": {"posts": [1]}}]}',
        b'{"db": [{"data": {"posts": [{}]}}]} x',
        b'{"db": [{"data": {"posts": []}}, {"data": {"posts": []}}]}',
        b'{"db": [{"data": {"posts": [{"id": "1"}, {"id": "1"}]}}]}',
        b'{"db": [{"data": {"posts": [' + b"[" * 200_000,
        b'{"db": [{"data": {"posts": [{"id": ' + b"9" * 10_000 + b"}]}}]}",
        b'{"db": [{"data": {"posts": [{"id": "\xff"}]}}]}',
        '{"db": [{"data": {"posts": []}}]}'.encode("utf-16"),
        b"<rss></rss>",
    ],
)
def test_what_is_no_whole_export_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / NAME
    path.write_bytes(content)

    with pytest.raises(SourceRefused, match=r"^blog[.]ghost[.]json"):
        read(path)


@requirement("import.ghost.whole")
def test_a_row_without_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("blog_engine.importing.ghost.tables._LONGEST_VALUE", 1_000_000)
    path = tmp_path / NAME
    path.write_text('{"db": [{"data": {"posts": [{"id": "' + "x" * 5_000_000)

    with pytest.raises(SourceRefused, match="more than 1000000 characters"):
        read(path)


def test_a_byte_order_mark_is_no_part_of_the_export(tmp_path: Path) -> None:
    path = write_export(tmp_path / NAME, row())
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert len(read(path)) == 1


def test_tables_that_are_no_lists_and_unknown_ones_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_text(
        '{"x": [1, 2], "db": [{"y": 1.5, "data": {"a": null, "posts": [{"id": 1}], "zzz": [{"id": "q"}]}}]}'
    )

    items: list[Item] = read(path)

    assert [item.source_id for item in items if isinstance(item, SourcePost)] == ["1"]
