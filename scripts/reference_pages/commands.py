"""``reference/commands.md``: every management command, from its help and its keys."""

from pathlib import Path

from django.core.management import load_command_class

import blog_engine
from blog_engine.management.base import Key, KeyValueCommand
from reference_pages import page, table

_INTRO = """\
# Commands

Every input can be written as `KEY=VALUE` or as `--key value`; a switch is `KEY=true` or `--key`. When the database does
not answer, a command prints one sentence and exits with 1; `publish_due_posts EVERY=…` prints it and tries again.

[Operating a blog](../how-to/operate.md) shows when to run them.
"""


def write() -> str:
    """Return the page: a heading, the help and a table of keys for each command."""
    folder = Path(blog_engine.__file__).parent / "management" / "commands"
    names = sorted(path.stem for path in folder.glob("[a-z]*.py"))
    sections = (part for name in names for part in _section(name))
    return page(_INTRO, *sections, source="blog_engine/management/commands")


def _section(name: str) -> list[str]:
    command = load_command_class("blog_engine", name)
    assert isinstance(command, KeyValueCommand)  # noqa: S101 - all commands of the engine are
    section = [f"## {name}", command.help]
    if command.keys:
        section.append(table(["Key", "Option", "Meaning"], map(_row, command.keys)))
    return section


def _row(key: Key) -> list[str]:
    value = "true" if key.is_switch else "…"
    option = key.option if key.is_switch else f"{key.option} …"
    return [f"`{key.name}={value}`", f"`{option}`", key.help]
