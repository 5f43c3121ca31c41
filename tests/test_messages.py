"""The catalogues contain every message of the code; one without a translation is shown in English."""

import io
import re
import shutil
from collections.abc import Iterator
from contextlib import redirect_stderr
from functools import cache
from gettext import GNUTranslations
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest
from babel.messages import Message
from babel.messages.pofile import read_po
from django.apps import apps
from django.test import Client
from django.utils import translation
from django.utils.translation import ngettext
from pytest_django import Settings

from tests.requirements import requirement
from tests.support.factories import save
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor
from tests.support.programs import ROOT, environment, run

LOCALE = ROOT / "blog_engine" / "locale"
SCRIPT = ROOT / "scripts" / "messages"
_NUMBERS = (0, 1, 2, 3, 11, 15, 100, 101, 103)


@cache
def script() -> Any:
    """Return ``scripts/messages`` as a module, which reads the messages of the code once."""
    loader = SourceFileLoader("messages", str(SCRIPT))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def _run(*arguments: str) -> tuple[int, str]:
    """Return the exit code of ``scripts/messages`` and what it writes on standard error."""
    said = io.StringIO()
    with redirect_stderr(said):
        try:
            code = script().main(arguments)
        except SystemExit as stopped:
            code = stopped.code
    return code, said.getvalue()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the German catalogue, to be changed."""
    shutil.copytree(LOCALE / "de", tmp_path / "locale" / "de")
    return tmp_path / "locale" / "de" / "LC_MESSAGES" / "django.po"


def _change(path: Path, pattern: str, instead: str) -> None:
    """Replace the first match of a pattern in a file."""
    text, changes = re.subn(pattern, instead, path.read_text("utf-8"), count=1)
    assert changes == 1
    path.write_text(text, "utf-8")


@requirement("pages.translations")
def test_every_catalogue_has_the_messages_of_the_code_and_no_faults() -> None:
    done = run([str(SCRIPT), "--check", "--allow-untranslated"], env=environment())

    assert (done.returncode, done.stderr) == (0, "")
    assert {path.name for path in LOCALE.iterdir()} == {"ar", "de", "es", "fr", "it", "ja", "nl", "pl", "pt", "zh_Hans"}


@requirement("pages.translations")
def test_no_message_is_translated_by_the_catalogues_of_our_packages() -> None:
    foreign = {id for path in _catalogues_of("django", "rest_framework", "django_filters") for id in _messages_in(path)}
    with (LOCALE / "de" / "LC_MESSAGES" / "django.po").open("rb") as file:
        own = {_key(message) for message in read_po(file) if message.id}

    assert len(foreign) > 1000
    assert own & foreign == set()


def _catalogues_of(*packages: str) -> Iterator[Path]:
    for package in packages:
        yield from Path(str(import_module(package).__file__)).parent.rglob("LC_MESSAGES/django.mo")


def _key(message: Message) -> str:
    """Return a message after its context, as in a compiled catalogue."""
    singular = message.id if isinstance(message.id, str) else message.id[0]
    return f"{message.context}\x04{singular}" if message.context else singular


def _messages_in(path: Path) -> set[str]:
    """Return the messages of a compiled catalogue, each after its context."""
    with path.open("rb") as file:
        keys = vars(GNUTranslations(file))["_catalog"]
    return {key[0] if isinstance(key, tuple) else key for key in keys} - {""}


@pytest.mark.parametrize("options", [(), ("--allow-untranslated",)])
@pytest.mark.parametrize(
    ("pattern", "spoilt", "fault"),
    [
        ('msgstr "Seite %.number.s"', 'msgstr "Seite"', "other placeholders: 'Page %(number)s'"),
        ('msgstr "Zu <q>', 'msgstr "Zu <a>', "other placeholders: 'Nothing was found for <q>%(words)s</q>.'"),
        ('msgstr.1. ".*? Artikel"', 'msgstr[1] "Artikel"', "other placeholders: ('%(number)s post'"),
        ('msgstr.0. ".*? <q>.*?"', 'msgstr[0] "Ein Artikel"', "other placeholders: ('%(posts)s post with"),
        ('msgid "Tip"', '#, fuzzy\nmsgid "Tip"', "fuzzy: 'Tip'"),
        ('msgid "Tip"', 'msgid "Tipped"', "differs from the code"),
        (r"\Z", '\n#~ msgid "Gone"\n#~ msgstr "Weg"\n', "differs from the code"),
        ('msgstr "Tipp"', 'msgstr "Rat"', "differs from its source"),
        ('msgstr "Tipp"', 'msgstr ""', "differs from its source"),
    ],
)
def test_a_fault_of_a_catalogue_is_named(
    copy: Path, pattern: str, spoilt: str, fault: str, options: tuple[str, ...]
) -> None:
    _change(copy, pattern, spoilt)

    code, said = _run("--locale", str(copy.parents[2]), "--check", *options)

    assert code == 1
    assert fault in said


SINGULAR = ('(msgid "Skip to the content"\nmsgstr) ".+"', r'\1 ""')
IN_CONTEXT = ('(msgctxt "blog"\nmsgid "Search"\nmsgstr) ".+"', r'\1 ""')
PLURAL = (r'(msgid_plural "%.posts.s posts"\nmsgstr.0.) ".+"\n(msgstr.1.) ".+"', r'\1 ""\n\2 ""')
ONE_FORM = (r'(msgid_plural "%.number.s posts"\nmsgstr.0. ".+"\nmsgstr.1.) ".+"', r'\1 ""')


@pytest.mark.parametrize(
    ("taken", "name"),
    [
        (SINGULAR, "'Skip to the content'"),
        (IN_CONTEXT, "'Search'"),
        (PLURAL, "('%(posts)s post', '%(posts)s posts')"),
        (ONE_FORM, "('%(number)s post', '%(number)s posts')"),
    ],
)
def test_a_message_without_a_translation_is_named_before_a_release(
    copy: Path, taken: tuple[str, str], name: str
) -> None:
    _change(copy, *taken)
    locale = ("--locale", str(copy.parents[2]))
    written = _run(*locale)

    checked, meanwhile = _run(*locale, "--check"), _run(*locale, "--check", "--allow-untranslated")

    assert f"{copy}: not translated: {name}\n" in checked[1]
    assert (written, checked, meanwhile) == ((0, checked[1]), (1, checked[1]), (0, ""))


@pytest.fixture
def incomplete(copy: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile the German catalogue without some translations, and use it."""
    for taken in (SINGULAR, IN_CONTEXT, PLURAL):
        _change(copy, *taken)
    _run("--locale", str(copy.parents[2]))
    settings.LOCALE_PATHS = []  # Django forgets its catalogues when this is set
    with monkeypatch.context() as patch:
        patch.setattr(apps.get_app_config("blog_engine"), "path", str(copy.parents[3]))
        with translation.override("de"):
            assert ngettext("%(number)s post", "%(number)s posts", 2) == "%(number)s Artikel"


@pytest.mark.django_db
@requirement("pages.translations")
def test_a_message_without_a_translation_is_in_english(client: Client, settings: Settings, incomplete: None) -> None:
    settings.BLOG_ENGINE = blog_settings(locale="de")
    visitor = Visitor(client)

    for number, count in [(1, "1 post"), (2, "2 posts")]:
        save(title=f"Soil {number}", category="Garden", publish=True)
        page = visitor.page("/category/garden")
        assert page.one(class_="blog-heading__count").text == count
    assert page.one(class_="blog-skip").text == "Skip to the content"
    assert page.one(class_="blog-search__go").text == "Search"
    assert page.one("html").attrs["lang"] == "de"
    assert page.one("nav", class_="blog-breadcrumbs").attrs["aria-label"] == "Sie sind hier"


def test_a_form_for_one_number_can_do_without_it(copy: Path) -> None:
    _change(copy, 'msgstr.0. ".*? Artikel"', 'msgstr[0] "Ein Artikel"')

    assert _run("--locale", str(copy.parents[2]), "--allow-untranslated") == (0, "")


def test_a_compiled_catalogue_with_other_plural_forms_is_named(copy: Path) -> None:
    compiled = copy.with_suffix(".mo")
    compiled.write_bytes(compiled.read_bytes().replace(b"plural=(n != 1)", b"plural=(n >= 2)"))

    code, said = _run("--locale", str(copy.parents[2]), "--check")

    assert code == 1
    assert "django.mo differs from its source" in said


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

    code, said = _run("--locale", str(tmp_path))

    assert code == 2
    assert "add the plural forms of cs to PLURALS" in said


def test_a_catalogue_is_updated_and_compiled(copy: Path) -> None:
    stored = copy.read_bytes()
    copy.write_text(copy.read_text("utf-8") + '\nmsgid "Gone"\nmsgstr "Weg"\n', "utf-8")
    copy.with_suffix(".mo").unlink()

    assert _run("--locale", str(copy.parents[2]), "--allow-untranslated") == (0, "")
    assert copy.read_bytes() == stored
    assert copy.with_suffix(".mo").exists()


def test_a_language_begins_with_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)

    _, said = _run("--locale", str(tmp_path))

    assert "not translated: 'Share'" in said
    assert "nplurals=3" in (folder / "django.po").read_text("utf-8")
