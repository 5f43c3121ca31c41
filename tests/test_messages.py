"""The catalogues contain every message of the code with its translation."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from gettext import GNUTranslations
from importlib import import_module
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.translation import ngettext

from tests.requirements import requirement

ROOT = Path(__file__).resolve().parents[1]
LOCALE = ROOT / "blog_engine" / "locale"
_NUMBERS = (0, 1, 2, 3, 11, 15, 100, 101, 103)


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "messages"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the German catalogue, to be changed."""
    shutil.copytree(LOCALE, tmp_path, dirs_exist_ok=True)
    return tmp_path / "de" / "LC_MESSAGES" / "django.po"


@requirement("pages.translations")
def test_every_message_is_in_every_catalogue() -> None:
    done = _run("--check")

    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in LOCALE.iterdir()} == {"ar", "de", "es", "fr", "it", "ja", "nl", "pl", "pt", "zh_Hans"}


@requirement("pages.translations")
def test_no_message_is_translated_by_the_catalogues_of_our_packages() -> None:
    foreign = {id for path in _catalogues_of("django", "rest_framework", "django_filters") for id in _messages_in(path)}
    own = _messages_in(LOCALE / "de" / "LC_MESSAGES" / "django.mo")

    assert len(foreign) > 1000
    assert own & foreign == set()


def _catalogues_of(*packages: str) -> Iterator[Path]:
    for package in packages:
        yield from Path(str(import_module(package).__file__)).parent.rglob("LC_MESSAGES/django.mo")


def _messages_in(path: Path) -> set[str]:
    """Return the messages of a compiled catalogue, each after its context."""
    with path.open("rb") as file:
        keys = vars(GNUTranslations(file))["_catalog"]
    return {key[0] if isinstance(key, tuple) else key for key in keys} - {""}


@pytest.mark.parametrize(
    ("pattern", "spoilt", "fault"),
    [
        ('msgstr "Seite %.number.s"', 'msgstr "Seite"', "other placeholders: 'Page %(number)s'"),
        ('msgstr "Zu <q>', 'msgstr "Zu <a>', "other placeholders: 'Nothing was found for <q>%(words)s</q>.'"),
        ('msgid "Tip"\nmsgstr ".*?"', 'msgid "Tip"\nmsgstr ""', "not translated: 'Tip'"),
        ('msgstr.1. ".*? Artikel"', 'msgstr[1] ""', "not translated: ('%(number)s post', '%(number)s posts')"),
        ('msgstr.1. ".*? Artikel"', 'msgstr[1] "Artikel"', "other placeholders: ('%(number)s post'"),
        ('msgstr.0. ".*? <q>.*?"', 'msgstr[0] "Ein Artikel"', "other placeholders: ('%(posts)s post with"),
        ('msgid "Tip"', '#, fuzzy\nmsgid "Tip"', "fuzzy: 'Tip'"),
        ('msgid "Tip"', 'msgid "Tipped"', "differs from the code"),
        (r"\Z", '\n#~ msgid "Gone"\n#~ msgstr "Weg"\n', "differs from the code"),
        ('msgstr "Tipp"', 'msgstr "Rat"', "differs from its source"),
    ],
)
def test_a_fault_of_a_catalogue_is_named(copy: Path, pattern: str, spoilt: str, fault: str) -> None:
    copy.write_text(re.sub(pattern, spoilt, copy.read_text("utf-8"), count=1), "utf-8")

    done = _run("--locale", str(copy.parents[2]), "--check")

    assert done.returncode == 1
    assert fault in done.stderr


def test_a_form_for_one_number_can_do_without_it(copy: Path) -> None:
    spoilt, changes = re.subn('msgstr.0. ".*? Artikel"', 'msgstr[0] "Ein Artikel"', copy.read_text("utf-8"), count=1)
    copy.write_text(spoilt, "utf-8")

    done = _run("--locale", str(copy.parents[2]))

    assert (changes, done.returncode, done.stderr) == (1, 0, "")


def test_a_compiled_catalogue_with_other_plural_forms_is_named(copy: Path) -> None:
    compiled = copy.with_suffix(".mo")
    compiled.write_bytes(compiled.read_bytes().replace(b"plural=(n != 1)", b"plural=(n >= 2)"))

    done = _run("--locale", str(copy.parents[2]), "--check")

    assert done.returncode == 1
    assert "django.mo differs from its source" in done.stderr


@requirement("pages.translations")
@pytest.mark.parametrize(
    ("language", "texts"),
    {
        "ar": [
            *["0 مقال", "مقال واحد", "مقالان", "3 مقالات"],
            *["11 مقالًا", "15 مقالًا", "100 مقال", "101 مقال", "103 مقالات"],
        ],
        "de": [f"{number} Artikel" for number in _NUMBERS],
        "es": [f"{number} artículo{'' if number == 1 else 's'}" for number in _NUMBERS],
        "fr": [f"{number} article{'' if number < 2 else 's'}" for number in _NUMBERS],
        "it": [f"{number} articol{'o' if number == 1 else 'i'}" for number in _NUMBERS],
        "ja": [f"{number} 件の記事" for number in _NUMBERS],
        "nl": [f"{number} artikel{'' if number == 1 else 'en'}" for number in _NUMBERS],
        "pl": [
            *["0 wpisów", "1 wpis", "2 wpisy", "3 wpisy"],
            *["11 wpisów", "15 wpisów", "100 wpisów", "101 wpisów", "103 wpisy"],
        ],
        "pt": [f"{number} artigo{'' if number == 1 else 's'}" for number in _NUMBERS],
        "zh-hans": [f"{number} 篇文章" for number in _NUMBERS],
    }.items(),
)
def test_numbers_have_the_form_of_the_language(language: str, texts: list[str]) -> None:
    with translation.override(language):
        said = [ngettext("%(number)s post", "%(number)s posts", number) % {"number": number} for number in _NUMBERS]

    assert said == texts


def test_the_plural_forms_of_a_new_language_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "cs" / "LC_MESSAGES").mkdir(parents=True)

    done = _run("--locale", str(tmp_path))

    assert done.returncode == 2
    assert "add the plural forms of cs to PLURALS" in done.stderr


def test_a_catalogue_is_updated_and_compiled(copy: Path) -> None:
    stored = copy.read_bytes()
    copy.write_text(copy.read_text("utf-8") + '\nmsgid "Gone"\nmsgstr "Weg"\n', "utf-8")
    copy.with_suffix(".mo").unlink()

    done = _run("--locale", str(copy.parents[2]))

    assert (done.returncode, done.stderr) == (0, "")
    assert copy.read_bytes() == stored
    assert copy.with_suffix(".mo").exists()


def test_a_language_begins_with_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)

    done = _run("--locale", str(tmp_path))

    assert "not translated: 'Share'" in done.stderr
    assert "nplurals=3" in (folder / "django.po").read_text("utf-8")
