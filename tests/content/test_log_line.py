"""Log lines are single lines of ``key=value`` pairs, readable by machines."""

import json

import pytest

from blog_engine.content.text import log_line
from tests.requirements import requirement


@requirement("host.log")
def test_what_says_something_stands_in_the_order_given() -> None:
    fields = {
        "who": "Ada",
        "post": 12,
        "code": None,
        "took": 1.5,
        "dry_run": False,
        "last": True,
        "none": 0,
        "text": "",
    }

    assert log_line(fields) == 'who="Ada" post=12 took=1.5 last=true none=0 text=""'


@requirement("host.log.format")
@pytest.mark.parametrize(
    "name",
    [
        'Ada" outcome="done',
        "Ada\nERROR forged",
        "Ada\r\nx",
        "\x1b[31mred\x1b[0m",
        "a\x85b\u2028c\u2029d\x0be\x0cf\x1cg",
        "\u202egro.live",
        "zero\u200bwidth",
        "\ud800",
        "tag \U000e0041",
        "back\\slash \\n",
    ],
    ids=ascii,
)
def test_a_name_stays_one_value_of_one_line(name: str) -> None:
    line = log_line({"actor": name, "post": 1})

    assert line.isprintable()
    assert len(line.splitlines()) == 1
    value, end = json.JSONDecoder().raw_decode(line, len("actor="))
    assert (value, line[end:]) == (name, " post=1")


def test_letters_of_every_script_stay_readable() -> None:
    assert log_line({"actor": "Zoë 李 🖋"}) == 'actor="Zoë 李 🖋"'
