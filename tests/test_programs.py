"""No failing test prints the environment, whatever the options of pytest."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.programs import ROOT, Environment, ProgramFailed, environment, output_of, run, start

TESTS = ROOT / "tests"
HOME = TESTS / "support" / "programs.py"
SECRET = "hunter2-of-the-environment"

FAILING = """
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.programs import environment, output_of, run, start

PYTHON = sys.executable


@pytest.fixture
def own():
    return environment({"MORE": "1"})


def manage(given, *arguments):
    return output_of([PYTHON, *arguments], env=given)


def test_a_program_ends_with_an_error(own):
    manage(own, "-c", "raise SystemExit(3)")


def test_an_assertion_about_a_program_fails(own):
    done = run([PYTHON, "-c", "print(1)"], env=own)
    assert (done.returncode, done.stdout) == (1, "2")


def test_a_program_does_not_exist(own):
    run(["no-such-program"], env=own)


def test_a_program_does_not_start(own):
    start(["no-such-program"], env=own)


def test_a_program_takes_too_long(own):
    run([PYTHON, "-c", "import time; time.sleep(60)"], env=own, timeout=0.5)


def test_a_folder_is_missing(own):
    run([PYTHON, "-c", ""], env=own, cwd=Path("/no/such/folder"))


def test_environments_are_compared(own):
    assert own == environment({"MORE": "2"})


def test_an_environment_is_no_environment(own):
    start([PYTHON], env=None)


def test_a_process_is_looked_at(own):
    with start([PYTHON, "-c", ""], env=own | {"LAST": "1"}, stdout=subprocess.PIPE) as process:
        assert process.wait() == 1
"""


@pytest.mark.heavy
@pytest.mark.parametrize("options", [[], ["--showlocals", "-vvv", "--full-trace"]])
def test_no_failure_shows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "test_failing.py").write_text(FAILING)
    monkeypatch.setenv("SECRET_OF_THE_HOST", SECRET)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", *options]

    done = run([*command, "--rootdir", str(tmp_path), "--ds=tests.settings", str(tmp_path)], env=path_of(ROOT))

    assert f"{FAILING.count('def test_')} failed" in done.stdout, done.stdout[-3000:]
    assert "environment of" in done.stdout
    assert SECRET not in done.stdout + done.stderr
    assert "SECRET_OF_THE_HOST" not in done.stdout + done.stderr


def path_of(folder: Path) -> Environment:
    return environment({"PYTHONPATH": str(folder)}, without=["PYTEST_", "DATABASE_URL", "CI"])


def test_an_environment_has_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_HOST", SECRET)
    own = environment({"MORE": "1"}, without=["PYTHON"]) | {"MORE": "2"}

    assert (own.get("SECRET_OF_THE_HOST"), own.get("MORE")) == (SECRET, "2")
    assert [name for name, _ in own.items() if name.startswith("PYTHON")] == []
    assert output_of([sys.executable, "-c", "import os; print(os.environ['MORE'])"], env=own) == "2\n"
    assert repr(own) == str(own) == f"<environment of {len(list(own.items()))} variables>"


def test_a_failure_shows_what_the_program_wrote() -> None:
    program = "import sys; print('half of it'); sys.exit('the reason')"

    with pytest.raises(ProgramFailed, match=r"(?s)ended with 1.*half of it.*the reason"):
        output_of([sys.executable, "-c", program], env=environment())


@pytest.mark.parametrize("call", [run, output_of, start])
def test_a_plain_environment_is_not_accepted(call: object) -> None:
    with pytest.raises(TypeError):
        call([sys.executable, "-c", ""], env={"MORE": "1"})  # type: ignore[operator]


def uses_in(source: str) -> Iterator[str]:
    """Yield where the whole environment is passed on, such as ``env=`` of subprocess."""
    tree = ast.parse(source)
    single = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Subscript | ast.Attribute)}
    single |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.Compare) for part in node.comparators}
    whole = {"os.environ.copy", "os.environ.items", "os.environ.values"}
    for node in ast.walk(tree):
        said = ast.unparse(node) if isinstance(node, ast.Attribute) else ""
        if said in whole or (said == "os.environ" and id(node) not in single):
            yield f"line {node.lineno}: {said}"
        if isinstance(node, ast.Call) and any(keyword.arg == "env" for keyword in node.keywords):
            called = ast.unparse(node.func)
            if called.startswith("subprocess."):
                yield f"line {node.lineno}: {called} with env"


@pytest.mark.parametrize(
    "source",
    [
        "e = os.environ | {}",
        "e = {**os.environ}",
        "e = dict(os.environ)",
        "e = os.environ.copy()",
        "e = {k: v for k, v in os.environ.items()}",
        "subprocess.run([], env=e)",
        "subprocess.Popen([], env=None)",
    ],
)
def test_a_use_of_the_whole_environment_is_noticed(source: str) -> None:
    assert list(uses_in(source))


@pytest.mark.parametrize(
    "source", ["os.environ['A']", "os.environ.get('A')", "subprocess.run([])", "'A' in os.environ", "run([], env=e)"]
)
def test_a_single_variable_is_not(source: str) -> None:
    assert list(uses_in(source)) == []


def test_only_the_helper_hands_on_the_environment() -> None:
    found = {
        f"{path.relative_to(ROOT)}, {use}"
        for path in TESTS.rglob("*.py")
        if path != HOME and "env" in (source := path.read_text("utf-8"))
        for use in uses_in(source)
    }

    assert found == set()
