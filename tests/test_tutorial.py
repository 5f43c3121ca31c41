"""docs/tutorial/first-week.md: a project made by its files and commands, in their order, has what it says."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.programs import ROOT, environment, output_of
from tests.support.servers import free_port

pytestmark = pytest.mark.heavy

PAGE = ROOT / "docs" / "tutorial" / "first-week.md"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PATH = re.compile(r"(?:#|\{#|/\*) ([\w/.]+)")
# The tests have an environment, and the server starts with the settings of both days.
_LEFT_OUT = ("python3 -m venv", ". .venv/", "pip install", "python manage.py runserver")
_SERVE = """\
python manage.py runserver --noreload {origin} >server.log 2>&1 &
trap "kill $!" EXIT
until curl --silent --output /dev/null http://{origin}/blog/; do sleep 0.2; done
"""


def steps(origin: str) -> Iterator[str]:
    """Yield what a reader does, as lines of a shell: files are written where the page names them."""
    is_served = False
    for language, text in _BLOCK.findall(PAGE.read_text("utf-8")):
        text = text.replace("127.0.0.1:8000", origin)
        if language == "sh":
            if "curl" in text and not is_served:
                yield _SERVE.format(origin=origin)
                is_served = True
            for line in text.splitlines(keepends=True):
                if not line.startswith(_LEFT_OUT):
                    yield re.sub(r"^curl ", "echo; curl --silent ", line)
        else:
            named = _PATH.match(text)
            assert named
            yield f"cat >>{named[1]} <<'END_OF_FILE'\n{text}END_OF_FILE\n"


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines that the whole week prints."""
    folder = tmp_path_factory.mktemp("week")
    with free_port() as listener:
        origin = f"127.0.0.1:{listener.getsockname()[1]}"
    script = "set -eu\n" + "".join(steps(origin)) + f"echo; curl --silent http://{origin}/blog/the-night-ferry\n"
    path = f"{Path(sys.executable).parent}:{environment().get('PATH')}"
    own = environment({"PATH": path, "PYTHONPATH": str(ROOT)}, without=["DJANGO_", "DATABASE_", "CACHE_"])
    return output_of(["bash", "-c", script], env=own, cwd=folder).splitlines()


def answers(printed: list[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in printed if line.startswith("{")]


def test_the_doctor_has_no_complaint_about_the_templates(printed: list[str]) -> None:
    found = [line.partition(":")[0] for line in printed if re.match(r"\w+: Templates", line)]

    assert found == ["ok"]


def test_each_call_is_answered_as_the_page_says(printed: list[str]) -> None:
    refused = [answer["error"]["code"] for answer in answers(printed) if "error" in answer]

    assert refused == ["change_type_required"]
    assert [answer["kind"] for answer in answers(printed) if "kind" in answer] == ["responsible_party", "corrections"]


def test_the_history_has_the_three_kinds_of_publication(printed: list[str]) -> None:
    [records] = [answer for answer in answers(printed) if "publications" in answer]

    assert [entry["entry_type"] for entry in records["publications"]] == [
        "first",
        "maintenance",
        "correction",
    ]
    assert len(records["revisions"]) == 3


def test_the_article_shows_the_correction_in_the_sites_own_frame(printed: list[str]) -> None:
    page = "\n".join(printed)

    assert "We gave the wrong hour." in page
    assert '<a href="/">Harbour Club</a>' in page
