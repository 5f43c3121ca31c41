"""Methods, language and the host's parent class."""

from typing import Any

import pytest
from django.contrib.auth.mixins import LoginRequiredMixin
from django.http import HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.utils.translation import get_language

from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings, host_templates
from tests.support.pages import Visitor, parse, text_of
from tests.support.tables import undone

PATHS = [
    *["/", "/soil", "/soil.md", "/soil.html", "/none", "/soil/", "/policies/ai-use", "/preview/x", "/preview/x/"],
    *["/category/garden", "/tag/soil", "/author/ada", "/series/ground", "/search", "/search.json", "/sitemap.xml"],
    *["/feed.xml", "/feed.json", "/category/garden/feed.xml", "/series/ground/feed.json"],
]


@requirement("pages.methods")
def test_writing_is_not_allowed(db: None, subtests: pytest.Subtests) -> None:
    client = Client(enforce_csrf_checks=True)

    for path in PATHS:
        for method in ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]:
            with subtests.test(method=method, path=path):
                response = client.generic(method, f"/blog{path}")

                assert response.status_code == 405
                assert response["Allow"] == "GET, HEAD"


def test_queries_are_utf_8_whatever_the_charset_of_the_request(
    client: Client, db: None, subtests: pytest.Subtests
) -> None:
    save(title="Soil \u00e9", slug="soil", publish=True)

    for path in ["/", "/search", "/search.json", "/soil", "/feed.xml"]:
        for charset in ["nothing", "unicode_escape", "utf-16"]:
            with subtests.test(charset=charset, path=path), undone():
                url = f"/blog{path}?q=%C3%A9&q=%5Cud800%C3%A9"

                answers = [client.get(url), client.get(url, CONTENT_TYPE=f"text/plain; charset={charset}")]

                assert [answer.status_code for answer in answers] == [200, 200]
                assert answers[0].content == answers[1].content


class Host:
    """A host's parent class with a header, a context variable and a login."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if "shut" in request.GET:
            return HttpResponse("no", status=401)
        response: HttpResponse = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]
        response.headers["X-Host"] = f"{kwargs.get('slug', '')} {get_language()}"
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]
        return context | {"greeting": f"hello {context['page'].kind}"}


HOST = override_settings(
    BLOG_ENGINE=blog_settings(parent_controller=Host, layout="reader_tests/greeting.html"), TEMPLATES=host_templates()
)


@requirement("pages.parent-class")
@HOST
def test_the_parent_class_is_a_base_of_every_page(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", publish=True)

    for path, kind in [("/", "index"), ("/soil", "post"), ("/none", "not_found"), ("/a/b", "not_found")]:
        with subtests.test(path=path, kind=kind):
            response = visitor.get(path)

            assert "X-Host" in response
            assert parse(text_of(response)).one("p", id="greeting").text == f"hello {kind}"


@requirement("pages.parent-class")
@HOST
def test_the_login_of_the_parent_class_comes_first(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", publish=True)

    for path in ["/", "/soil", "/soil.md", "/none", "/soil/"]:
        with subtests.test(path=path):
            assert visitor.get(f"{path}?shut=1").status_code == 401


@requirement("host.settings.hooks")
@override_settings(BLOG_ENGINE=blog_settings(parent_controller="tests.reader.test_view.Host"))
def test_the_class_can_be_named_by_its_path(visitor: Visitor) -> None:
    save(title="Soil", publish=True)

    assert visitor.get("/soil")["X-Host"] == "soil en"


@override_settings(BLOG_ENGINE=blog_settings(parent_controller=LoginRequiredMixin))
def test_djangos_own_mixins_work(visitor: Visitor) -> None:
    assert visitor.get("/").status_code == 302


@HOST
def test_a_wrong_method_is_refused_before_the_parent_class(visitor: Visitor) -> None:
    assert visitor.client.post("/blog/?shut=1").status_code == 405


@requirement("pages.language")
@override_settings(BLOG_ENGINE=blog_settings(locale="de", parent_controller=Host))
def test_pages_run_in_the_blogs_language(visitor: Visitor) -> None:
    save(title="Boden", publish=True)

    response = visitor.get("/boden", accept_language="fr")

    page = parse(text_of(response))
    assert page.one("html").attrs | {"class": ""} == {"lang": "de", "dir": "ltr", "class": ""}
    assert page.one("article", class_="blog-article").one("time").text == "21. November 2026"
    assert response["Content-Language"] == "de"
    assert response["X-Host"] == "boden de"
    assert "21. November 2026" in text_of(visitor.get("/boden.md"))
    assert get_language() == "en"


@requirement("pages.layout")
@override_settings(
    BLOG_ENGINE=blog_settings(layout="reader_tests/host.html", color_scheme="dark"), TEMPLATES=host_templates()
)
def test_a_layout_needs_two_blocks(visitor: Visitor, subtests: pytest.Subtests) -> None:
    save(title="Soil", publish=True)

    for path, status in [("/", 200), ("/soil", 200), ("/none", 404)]:
        with subtests.test(path=path, status=status):
            page = visitor.page(path, status=status)

            assert page.one("body").attrs["id"] == "host"
            assert page.has("title")
            assert page.has("link", href="/static/blog_engine/theme.css")
            assert len(page.all("h1")) == 1
            assert page.one("", class_="blog", data_theme="dark")
