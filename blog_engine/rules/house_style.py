"""The house style in words, as agents read it."""

from collections.abc import Iterator, Mapping

from blog_engine.content.plain_text import escape_line
from blog_engine.inputs.house_style import SaveHouseStyle, TermRule


def style_in_words(rules: SaveHouseStyle, *, categories: Mapping[int, str]) -> str:
    """Return a house style as Markdown; ``categories`` are the names of those that its rules are for."""
    parts = ["# House style"]
    for heading, lines in (
        ("Tone", [rules.tone.strip()] if rules.tone.strip() else []),
        ("Terms", [*map(_term, rules.terms)]),
        ("Form", [*_form(rules, categories)]),
    ):
        if lines:
            parts += [f"## {heading}", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _term(rule: TermRule) -> str:
    avoid, use, reason = escape_line(rule.avoid), escape_line(rule.use), escape_line(rule.reason)
    sentence = f"Write “{use}”, not “{avoid}”." if use else f"Avoid “{avoid}”."
    return f"- {sentence} {reason}".rstrip()


def _form(rules: SaveHouseStyle, categories: Mapping[int, str]) -> Iterator[str]:
    if rules.least_words or rules.most_words:
        yield f"- The body has {_range(rules.least_words, rules.most_words)} words."
    for rule in rules.sections:
        where = ""
        if rule.category is not None:
            where = f", in posts of the category “{escape_line(categories.get(rule.category, str(rule.category)))}”"
        yield f"- A heading “{escape_line(rule.heading)}”{where}."
    if rules.least_sources:
        yield f"- At least {rules.least_sources} links to different pages on other sites."
    if rules.least_description or rules.most_description:
        yield f"- The description has {_range(rules.least_description, rules.most_description)} characters."


def _range(least: int | None, most: int | None) -> str:
    if least and most:
        return f"{least} to {most}"
    return f"at least {least}" if least else f"at most {most}"
