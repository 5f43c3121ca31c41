"""The tags of Pelican's plugin liquid_tags, such as ``{% img /a.png %}``; what readers saw is read from the files."""

import re
from typing import Final

from blog_engine.importing.data import FileRefused
from blog_engine.importing.markdown.generator import BodyPlace
from blog_engine.importing.markdown.notebooks import notebook_markdown
from blog_engine.importing.markdown.text import ClosingTags, code_ranges, fence, image_markdown, link_markdown
from blog_engine.importing.source import Losses, LossKind
from blog_engine.importing.text import LineStarts

_TAG: Final = re.compile(r"\{%-?[ \t]*([a-zA-Z_]\w*)[ \t]*((?:[^%\n]|%(?!\}))*?)[ \t]*-?%\}")
_END: Final = re.compile(r"\{%-?\s*(end\w+)\s*-?%\}")
_IMAGE: Final = re.compile(
    r"(?:[\w -]*[ \t])??(?P<src>(?:https?:/)?/?\S*[./]\S*)(?:[ \t]+\d+(?:px|%)?){0,2}(?:[ \t]+(?P<words>.+))?"
)
_QUOTED: Final = re.compile(r""""([^"]*)"|'([^']*)'|\[([^][]*)\]""")
_CODE_FILE: Final = re.compile(
    r"(?P<name>\S+)(?P<options>(?:[ \t]+(?:lang|lines|codec):\S+|[ \t]+:hide\w+:)*)(?P<title>.*)"
)
_OPTION: Final = re.compile(r"(lang|lines):(\S+)")
_NOTEBOOK: Final = re.compile(r"(?P<name>\S+)(?:[ \t]+cells\[(?P<start>-?\d*):(?P<end>-?\d*)\])?.*")
_CODE_FOLDERS: Final = ("code", "downloads/code", "")
_NOTEBOOK_FOLDERS: Final = ("notebooks", "downloads/notebooks", "")
_SITES: Final = {"youtube": "https://www.youtube.com/watch?v=", "vimeo": "https://vimeo.com/"}
_GIST: Final = "https://gist.github.com/"
_CODE_BLOCKS: Final = frozenset({"codeblock", "highlight", "mermaid", "graphviz", "diag"})


def replace_liquid_tags(text: str, place: BodyPlace, losses: Losses) -> str:
    """Return a text without tags of the plugin outside of code; those that are not read are named with their source."""
    return _LiquidTags(text, place, losses).replaced() if "{%" in text else text


class _LiquidTags:
    def __init__(self, text: str, place: BodyPlace, losses: Losses) -> None:
        self._text = text
        self._place = place
        self._losses = losses
        self._lines = LineStarts(text)
        self._code = code_ranges(text)
        self._closings = ClosingTags(text, _END)

    def replaced(self) -> str:
        """Return the text without tags."""
        parts: list[str] = []
        at = 0
        for found in _TAG.finditer(self._text):
            # The plugin reads tags in code as well, which its authors write as literals.
            is_in_code = self._code.end_at(found.start()) and found[1] not in {"literal", "raw"}
            if found.start() < at or is_in_code:
                continue
            parts.append(self._text[at : found.start()])
            at = found.end()
            name, words = found[1].lower(), found[2].strip()
            pair = self._closings.after(at, f"end{name}")
            if name in _CODE_BLOCKS and pair:
                language = words.split(" ")[0].removeprefix("lang:") if name in {"codeblock", "highlight"} else name
                parts.append(f"\n\n{fence(self._text[at : pair[0]], language)}\n\n")
                at = pair[1]
            elif name in {"raw", "literal"} and (pair or words):
                parts.append(self._text[at : pair[0]] if pair else f"{{% {words} %}}")
                at = pair[1] if pair else at
            elif not name.startswith("end"):
                parts.append(self._shown(name, words, found))
        return "".join([*parts, self._text[at:]])

    def _shown(self, name: str, words: str, tag: re.Match[str]) -> str:
        shown: str | None = None
        match name:
            case "img" | "b64img":
                shown = _image(words)
            case "include_code":
                shown = self._file_of_code(words)
            case "notebook":
                shown = self._notebook(words, tag)
            case "youtube" | "vimeo" | "gist" | "video" | "audio" | "soundcloud" | "speakerdeck":
                return self._embedded(name, words, tag)
        if shown is None:
            self._lose(LossKind.SHORTCODE, "A tag of liquid_tags is left out", tag)
        return shown or ""

    def _embedded(self, name: str, words: str, tag: re.Match[str]) -> str:
        first = words.split(" ")[0].strip("\"'")
        url = f"{_GIST if name == 'gist' else _SITES.get(name, '')}{first}"
        is_url = first and re.match(r"https?://|/", url)
        kind = LossKind.FILE if name in {"video", "audio"} else LossKind.EMBED
        self._lose(kind, "A link to it remains of" if is_url else "It is left out", tag)
        return link_markdown(url, url) if is_url else ""

    def _file_of_code(self, words: str) -> str | None:
        found = _CODE_FILE.fullmatch(words)
        code = self._read(found["name"], _CODE_FOLDERS) if found else None
        if found is None or code is None:
            return None
        options = dict(_OPTION.findall(found["options"]))
        language = options.get("lang") or found["name"].rpartition(".")[2]
        if re.fullmatch(r"[0-9]+-[0-9]+", options.get("lines", "")):
            first, last = map(int, options["lines"].split("-"))
            code = "\n".join(code.split("\n")[max(first - 1, 0) : last])
        title = f"{found['title'].strip()} {found['name']}".strip().replace('"', "'")
        block = fence(code, f'{language} title="{title}"')
        return f"\n\n{block}\n\n"

    def _notebook(self, words: str, tag: re.Match[str]) -> str | None:
        found = _NOTEBOOK.fullmatch(words)
        text = self._read(found["name"], _NOTEBOOK_FOLDERS) if found else None
        if found is None or text is None:
            return None
        cells = slice(*(int(found[name]) if found[name] else None for name in ("start", "end")))
        try:
            shown, left_out = notebook_markdown(text, cells)
        except FileRefused:
            return None
        if left_out:
            self._lose(LossKind.IMAGE, f"{left_out} results that are no text are left out of the notebook", tag)
        return f"\n\n{shown}\n\n"

    def _read(self, name: str, folders: tuple[str, ...]) -> str | None:
        texts = (self._place.read_file(f"{folder}/{name}".lstrip("/")) for folder in folders)
        return next((text for text in texts if text is not None), None)

    def _lose(self, kind: LossKind, words: str, tag: re.Match[str]) -> None:
        self._losses.add(kind, f"{words}: {tag[0]}", self._lines.number_at(tag.start()))


def _image(words: str) -> str | None:
    found = _IMAGE.fullmatch(words)
    if found is None:
        return None
    texts = [next(filter(None, groups), "") for groups in _QUOTED.findall(found["words"] or "")]
    # The title is a tooltip there, and would be a caption here.
    return image_markdown(texts[-1] if texts else (found["words"] or "").strip(), found["src"])
