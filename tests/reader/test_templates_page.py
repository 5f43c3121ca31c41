"""Each page is given exactly the names that the reference of the templates lists."""

import re
from typing import Any

import pytest
from django.db import OperationalError, connection
from reference_pages import templates

from blog_engine.queries.previews import preview_token
from tests.reader.conftest import TODAY
from tests.reader.test_policy import write as write_policy
from tests.support.factories import save
from tests.support.pages import Visitor

PAGE = templates.write()


def listed(heading: str) -> set[str]:
    """Return the names in the table below a heading of the reference."""
    section = PAGE.partition(f" {heading}\n")[2].partition("\n#")[0]
    return set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))


def given(response: Any) -> tuple[str, set[str]]:
    """Return the template that was rendered first and the names that it was given."""
    return response.templates[0].name.removeprefix("blog_engine/"), set(response.context[0].dicts[-1])


@pytest.mark.parametrize(
    ("path", "template", "absent"),
    [
        ("/", "index.html", set()),
        ("/category/garden", "list.html", {"profile"}),
        ("/author/ada-example", "list.html", {"sidebar"}),
        ("/search?q=soil", "search.html", set()),
        ("/soil", "post.html", set()),
        ("/policies/ai-use", "policy.html", set()),
        ("/no-such-page", "error.html", set()),
    ],
)
def test_a_page_is_given_what_is_listed(visitor: Visitor, path: str, template: str, absent: set[str]) -> None:
    save(title="Soil", category="Garden", publish=True)
    write_policy()

    response = visitor.get(path)

    assert given(response) == (template, (listed("What every page is given") | listed(template)) - absent)


def test_a_preview_is_given_what_is_listed(visitor: Visitor) -> None:
    issued = preview_token(save(title="Soil").post, now=TODAY)
    assert issued is not None

    response = visitor.get(f"/preview/{issued.token}")

    assert given(response) == ("preview.html", listed("What every page is given") | listed("preview.html"))


def test_the_page_for_an_outage_is_given_what_is_listed(visitor: Visitor) -> None:
    def fail(*arguments: Any) -> None:
        raise OperationalError("the connection was closed")

    with connection.execute_wrapper(fail):
        response = visitor.get("/")

    assert given(response) == ("out_of_reach.html", listed("out_of_reach.html"))
