"""The rules of all pages and documents: HEAD, validators, page numbers, formats and the trailing slash."""

import pytest

from blog_engine.models import Post
from tests.reader.conftest import write_policy
from tests.requirements import requirement
from tests.support.factories import save, update
from tests.support.pages import Visitor
from tests.support.tables import undone

PAGES = [
    *("/", "/soil", "/soil?format=html", "/soil.md", "/soil?format=md", "/policies/ai-use"),
    *("/category/garden", "/tag/roots", "/author/ada-example", "/series/ground"),
]
SEARCHES = ["/search?q=soil", "/search.json?q=soil", "/search?q=soil&format=json"]
DOCUMENTS = ["/feed.xml", "/feed.json", "/tag/roots/feed.xml", "/sitemap.xml", "/llms.txt", "/llms-full.txt"]
LISTS = ["/", "/category/garden", "/tag/roots", "/author/ada-example", "/series/ground"]


@pytest.fixture(autouse=True)
def post(db: None) -> Post:
    """A post that all pages show, except that of a policy."""
    write_policy(title="How we use AI")
    return save(title="Soil", category="Garden", tags=["roots"], series="Ground", publish=True).post


@requirement("pages.head-requests")
def test_head_has_the_headers_of_get(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for path in [*PAGES, *SEARCHES, *DOCUMENTS]:
        with subtests.test(path=path):
            head, get = visitor.client.head(f"/blog{path}"), visitor.get(path)

            assert (head.status_code, head.content) == (200, b"")
            assert dict(head.items()) == dict(get.items())


@requirement("pages.validators", "policies.etag", "llms-txt.cache", "search.fields")
def test_what_is_unchanged_is_not_sent_again(visitor: Visitor, subtests: pytest.Subtests) -> None:
    first = {path: visitor.get(path) for path in [*PAGES, *SEARCHES, *DOCUMENTS]}

    for path, answer in first.items():
        with subtests.test(path=path):
            again = visitor.get(path, if_none_match=answer["ETag"])

            assert answer["ETag"].startswith('W/"')
            assert (again.status_code, again.content) == (304, b"")
            assert visitor.client.head(f"/blog{path}", headers={"if_none_match": answer["ETag"]}).status_code == 304
            names = ("ETag", "Cache-Control", "Vary", *(("X-Robots-Tag",) if path in SEARCHES else ()))
            assert [again.get(name) for name in names] == [answer.get(name) for name in names]
            is_document = path in DOCUMENTS
            cached = "max-age=3600, public" if is_document else "max-age=0, private, must-revalidate"
            assert (answer["Cache-Control"], "Cookie" in answer["Vary"]) == (cached, True)
            is_hidden = path in SEARCHES or "md" in path or "llms" in path
            assert answer.get("X-Robots-Tag") == ("noindex" if is_hidden else None)
            assert ("Last-Modified" in answer) is (is_document and "llms" not in path)


@requirement("pages.validators", "policies.etag", "llms-txt.cache")
def test_what_is_changed_is_sent_again(visitor: Visitor, post: Post, subtests: pytest.Subtests) -> None:
    tags = {path: visitor.get(path)["ETag"] for path in [*PAGES, *SEARCHES, *DOCUMENTS]}

    update(post, title="Soil and sand", change="substantive")
    write_policy(title="AI here")

    for path, tag in tags.items():
        with subtests.test(path=path):
            assert visitor.get(path, if_none_match=tag).status_code == 200


@requirement("pages.page-numbers", "llms-txt.pages")
def test_other_numbers_of_pages_are_not_found(visitor: Visitor, subtests: pytest.Subtests) -> None:
    numbers = [
        *("page=0", "page=-1", "page=01", "page=", "page=abc", "page=1.5", "page=%201", "page=1%20", "page=2"),
        *("page=99", "page=1&page=1", "page=%D9%A1", "page=9999999999", "page=" + "9" * 5000),
    ]

    for path in [*LISTS, "/search?q=soil", "/llms.txt", "/llms-full.txt"]:
        for number in numbers:
            with subtests.test(path=path, number=number), undone():
                assert visitor.get(f"{path}{'&' if '?' in path else '?'}{number}").status_code == 404
        with subtests.test(path=path):
            assert visitor.get(f"{path}{'&' if '?' in path else '?'}page=1").status_code == 200


@requirement("pages.page-numbers")
def test_other_formats_are_not_found(visitor: Visitor, subtests: pytest.Subtests) -> None:
    for path in [*LISTS, "/search"]:
        for query, status in [
            *(("format=html", 200), ("unknown=1", 200), ("page[]=2", 200)),
            *(("format=xml", 404), ("format=", 404), ("format=md", 404), ("format=html&format=md", 404)),
        ]:
            with subtests.test(path=path, query=query):
                assert visitor.get(f"{path}?{query}").status_code == status
    for path, status in [
        *((f"{path}.html", 200) for path in [*LISTS[1:], "/search"]),
        *((f"{path}?format=json", 404) for path in LISTS),
        *((f"{path}.md", 404) for path in [*LISTS[1:], "/search"]),
    ]:
        with subtests.test(path=path):
            assert visitor.get(path).status_code == status


@requirement("pages.trailing-slash")
@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/soil/", "/soil"),
        ("/soil.md/", "/soil.md"),
        ("/soil.html/", "/soil.html"),
        ("/search/?q=soil", "/search?q=soil"),
        ("/search.html/?q=soil", "/search.html?q=soil"),
        *((f"{path}/?page=2", f"{path}?page=2") for path in LISTS[1:]),
        ("/policies/ai-use/?a=b", "/policies/ai-use?a=b"),
        (f"/media/{'0' * 64}/quay.png/", f"/media/{'0' * 64}/quay.png"),
        ("/none/?a=b%20c", "/none?a=b%20c"),
        ("//", "/"),
    ],
)
def test_a_trailing_slash_is_removed(visitor: Visitor, path: str, target: str) -> None:
    response = visitor.get(path)

    assert (response.status_code, response["Location"]) == (301, f"/blog{target}")
