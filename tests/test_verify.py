"""The verifier as a program, and with files that no blog wrote."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from blog_engine import verify
from blog_engine.services import make_checkpoint
from tests.requirements import requirement
from tests.support.factories import ARTICLE, DECLARATION, IMPORTED, LATER, adopt, approve, save, update
from tests.support.integrity import (
    CHECKED,
    Kept,
    Read,
    Told,
    entry_of,
    keep_evidence,
    proven_part,
    publish_checkpoint,
    tell_of_a_post,
    verdict_on,
)


@pytest.fixture
def told(db: None, tmp_path: Path) -> Told:
    return tell_of_a_post(tmp_path)


@pytest.fixture
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Kept:
    return keep_evidence(request, tmp_path)


@requirement("proof.verify.alone", "proof.verify.exit")
def test_it_runs_alone_outside_of_the_package(kept: Kept, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(verify.__file__, alone / "verify.py")
    (alone / "evidence.json").write_bytes(kept.evidence)
    (alone / "changed.json").write_bytes(kept.evidence.replace(b"Rosa Reviewer", b"Mina Holt"))
    program = [sys.executable, "-I", "-S", "verify.py"]

    def run(*arguments: str, sent: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([*program, *arguments], cwd=alone, input=sent, capture_output=True, check=False)

    verified = run("evidence.json", "-", sent=kept.published.read_bytes())
    assert (verified.returncode, verified.stderr) == (0, b"")
    assert verified.stdout.startswith(b"Verified: ")
    assert run("changed.json").returncode == 1
    missing = run("missing.json")
    assert (missing.returncode, missing.stderr) == (2, b"")
    assert missing.stdout.startswith(b"Unreadable: missing.json: No such file")
    assert run().returncode == 2


@requirement("proof.verify.alone")
def test_it_runs_as_a_module_without_django(kept: Kept, tmp_path: Path) -> None:
    (tmp_path / "evidence.json").write_bytes(kept.evidence)
    package = Path(verify.__file__).parent
    without_django = f"import sys; sys.modules['django'] = None; sys.path.insert(0, {str(package.parent)!r}); "
    run_module = (
        "import runpy; sys.argv[1:] = ['evidence.json']; runpy.run_module('blog_engine.verify', None, '__main__')"
    )

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", without_django + run_module], cwd=tmp_path, capture_output=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, b"")


@requirement("proof.verify.words")
def test_it_says_what_is_proven_what_changed_and_who_approved_it(told: Told, capsys: Read) -> None:
    status, words = told.verdict(capsys)

    assert status == 0
    assert "since checkpoint 1 of 2026-11-21T14:00:00.711000Z was published" in words
    assert "none of the first 13 of 13 records was changed" in words
    assert entry_of(words, 7)[-6:] == [
        *('     changed "body"', '       before: "It leaves at ten."', '       after: "It leaves at eleven."'),
        *("     approved in record 8; facts checked", '       reviewer_name: "Rosa Reviewer"'),
        '       approved_at: "2026-11-21T13:00:00.711000Z"',
    ]
    assert "Not proven: that the clock of the blog was right; that the people and agents named are who" in words


@requirement("proof.verify.unproven")
def test_the_title_is_that_of_the_newest_covered_publication(told: Told, capsys: Read) -> None:
    update(told.post, title="A later title", change="maintenance", now=CHECKED)

    status, words = told.verdict(capsys)

    assert status == 0
    assert words.splitlines()[3:8] == [
        'Title of the newest covered publication, record 10: "The night ferry"',
        "Stated by the file, not proven:",
        '  title: "A later title"',
        '  url: "https://example.com/blog/night-ferry"',
        '  label: "ai_unknown"',
    ]


@requirement("proof.verify.unproven")
@pytest.mark.django_db
def test_no_title_is_proven_while_no_publication_is_covered(tmp_path: Path, capsys: Read) -> None:
    post = save(body="One.").post
    approve(post)
    make_checkpoint(now=CHECKED)
    told = Told(post, publish_checkpoint(tmp_path), tmp_path)

    status, words = told.verdict(capsys)

    assert (status, words.splitlines()[2]) == (0, "The checkpoint covers no publication, so no title is proven.")
    assert '"Winter garden"' not in proven_part(words)


@requirement("proof.verify.approvals")
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "named"),
    [
        ({"imported_approval": IMPORTED}, "facts checked; imported, not given here"),
        ({"declaration": DECLARATION}, "facts checked; declared at an adoption, not given here"),
    ],
    ids=["imported", "declared"],
)
def test_an_approval_from_elsewhere_says_so(sent: dict[str, Any], named: str, tmp_path: Path, capsys: Read) -> None:
    post = adopt(ARTICLE, **sent).post
    make_checkpoint(now=CHECKED)
    told = Told(post, publish_checkpoint(tmp_path), tmp_path)

    status, words = told.verdict(capsys)

    assert status == 0
    assert f"     approved in record 3; {named}" in entry_of(words, 4)
    assert entry_of(words, 3)[0].endswith(f" approval; {named.removeprefix('facts checked; ')}")


@requirement("proof.verify.words")
@pytest.mark.django_db
def test_a_publication_that_was_not_approved_or_not_checked_is_shown_so(tmp_path: Path, capsys: Read) -> None:
    post = save(body="One.", publish=True).post
    approve(post, facts_checked=False)
    update(post, title="Other title", change="substantive")
    make_checkpoint(now=CHECKED)
    told = Told(post, publish_checkpoint(tmp_path), tmp_path)

    words = told.verdict(capsys)[1]

    assert entry_of(words, 2)[-3:] == [
        "     approved in record 3; facts NOT checked",
        '       reviewer_name: "Rosa Reviewer"',
        '       approved_at: "2026-11-21T12:00:00.711000Z"',
    ]
    assert entry_of(words, 5)[-4:] == [
        *('     changed "title"', '       before: "Winter garden"', '       after: "Other title"'),
        "     approved by no person in this file",
    ]


@requirement("proof.verify.words", "proof.verify.keys")
@pytest.mark.django_db
def test_a_language_that_a_publication_added_or_cleared_is_shown(tmp_path: Path, capsys: Read) -> None:
    post = save(body="One.", publish=True).post
    update(post, language="de", change="maintenance")
    update(post, language="", change="maintenance")
    make_checkpoint(now=CHECKED)
    told = Told(post, publish_checkpoint(tmp_path), tmp_path)

    status, words = told.verdict(capsys)

    assert status == 0
    added, cleared = entry_of(words, 4), entry_of(words, 5)
    assert added[-4:-1] == ['     changed "language"', '       before (absent): ""', '       after: "de"']
    assert cleared[-4:-1] == ['     changed "language"', '       before: "de"', '       after (absent): ""']


@requirement("proof.verify.embedded")
def test_without_a_published_checkpoint_it_names_the_hash_to_compare(kept: Kept, capsys: Read) -> None:
    status, words = verdict_on(kept.evidence, folder=kept.folder, capsys=capsys)

    assert status == 0
    assert words.startswith("Verified, if its checkpoint is the published one: ")
    assert "\nProven only if that checkpoint was published: since " in words
    assert f"compare {json.loads(kept.published.read_bytes())['hash']} with a copy obtained elsewhere" in words
    with_copy = verdict_on(kept.evidence, kept.published, folder=kept.folder, capsys=capsys)
    assert (with_copy[0], "obtained elsewhere" in with_copy[1]) == (0, False)
    assert "\nProven: since " in with_copy[1]


@requirement("proof.verify.embedded")
def test_without_any_checkpoint_nothing_is_verified(kept: Kept, capsys: Read) -> None:
    whole = json.loads(kept.evidence) | {"checkpoint": None, "inclusion": None}

    for published in ([], [kept.published]):
        status, words = verdict_on(json.dumps(whole).encode(), *published, folder=kept.folder, capsys=capsys)
        assert (status, "no checkpoint" in words) == (1, True)


@requirement("proof.verify.checks")
def test_evidence_for_another_checkpoint_than_the_published_one_is_not_verified(told: Told, capsys: Read) -> None:
    update(told.post, body="More.", change="maintenance", now=CHECKED)
    make_checkpoint(now=CHECKED)

    status, words = told.verdict(capsys, number=2)

    assert (status, "get the evidence for the published one with CHECKPOINT=1" in words) == (1, True)


@requirement("proof.verify.uncovered")
def test_a_record_after_the_checkpoint_is_shown_as_not_covered(told: Told, capsys: Read) -> None:
    update(told.post, body="More.", change="maintenance", now=CHECKED)

    status, words = told.verdict(capsys)

    assert status == 0
    assert "none of the first 13 of 15 records" in words
    assert [line for line in words.splitlines() if "NOT covered" in line] == [
        "NOT covered by the checkpoint, so not proven: all records after record 13.",
        "  14. 2026-11-21T14:00:00.711000Z revision; NOT covered by the checkpoint",
        "  15. 2026-11-21T14:00:00.711000Z publication; NOT covered by the checkpoint",
    ]


@requirement("proof.verify.exit")
@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"null", b"[]", b"3", b'"x"', b"{", b"\xff\xfe{}", b"\xef\xbb\xbf{}", b'{"a": NaN}', b'{"a": 1.5}'),
        *(b'{"a": -Infinity}', b'{"a": 1, "a": 2}', b"[" * 100_000, b'{"a":' * 100_000, b'{"a": ' + b"9" * 5000 + b"}"),
    ],
    ids=lambda data: repr(data[:20]),
)
def test_what_is_not_such_json_is_unreadable(kept: Kept, data: bytes, capsys: Read) -> None:
    other = kept.folder / "other.json"
    other.write_bytes(data)

    of_evidence = verdict_on(data, folder=kept.folder, capsys=capsys)
    of_checkpoint = verdict_on(kept.evidence, other, folder=kept.folder, capsys=capsys)

    for status, words in (of_evidence, of_checkpoint):
        assert (status, len(words.splitlines())) == (2, 1), words


@requirement("proof.verify.exit")
def test_a_folder_is_unreadable(tmp_path: Path, capsys: Read) -> None:
    assert verify.main([str(tmp_path)]) == 2
    assert capsys.readouterr().out.startswith("Unreadable: ")


@requirement("proof.verify.terminal")
@pytest.mark.django_db
def test_texts_of_the_file_cannot_control_a_terminal(tmp_path: Path, capsys: Read) -> None:
    post = save(title="Red \x1b[31m and \u202e back", body="One\x07.\nTwo.", publish=True).post
    update(post, body="One\x9b.\nThree.", change="correction", note="First\nVerified: all is well \x1b[2J", now=LATER)
    make_checkpoint(now=CHECKED)
    told = Told(post, publish_checkpoint(tmp_path), tmp_path)

    status, words = told.verdict(capsys)

    assert status == 0
    assert all(line.isprintable() for line in words.splitlines())
    assert [line for line in words.splitlines() if line.startswith("Verified")] == words.splitlines()[:1]
    assert '     "note": "First\\nVerified: all is well \\u001b[2J"' in entry_of(words, 4)
    assert '       after: "One\\u009b.\\nThree."' in entry_of(words, 4)


@pytest.mark.django_db
def test_evidence_is_plain_about_a_post_without_history(tmp_path: Path, capsys: Read) -> None:
    post = save().post
    told = Told(post, tmp_path, tmp_path)

    status, words = verdict_on(told.evidence(number=None), folder=tmp_path, capsys=capsys)

    assert (status, "no history" in words) == (1, True)
