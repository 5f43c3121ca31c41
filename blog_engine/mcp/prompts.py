"""The packaged workflows, which agents may also take as skills from ``blog_engine/skills`` (mcp.md, decision 7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import yaml

_NAMES = ("install", "publish", "update", "adopt", "policy-pages", "report")
_FENCE = "---\n"


@dataclass(frozen=True, slots=True)
class Prompt:
    """One workflow: what it is for, and its text in Markdown."""

    name: str
    title: str
    description: str
    text: str


@cache
def prompts() -> Mapping[str, Prompt]:
    """The workflows by name, in the order in which a publisher comes to need them."""
    return MappingProxyType({name: _prompt(name) for name in _NAMES})


def _prompt(name: str) -> Prompt:
    path = files("blog_engine").joinpath("skills", name, "SKILL.md")
    _, front_matter, text = path.read_text(encoding="utf-8").split(_FENCE, 2)
    description = yaml.safe_load(front_matter)["description"]
    return Prompt(name, name.replace("-", " ").capitalize(), description, text.strip())
