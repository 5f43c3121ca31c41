"""The Nu HTML checker of the W3C, which ``scripts/html-checker`` fetches."""

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import unquote

_JAR = Path(__file__).parents[2] / ".venv" / "html-checker" / "vnu.jar"


def can_check() -> bool:
    """Whether Java and the checker are here."""
    return shutil.which("java") is not None and _JAR.exists()


def check_pages(pages: Mapping[str, str], *, folder: Path) -> list[str]:
    """What the checker says of the pages, one line a message; they are written into ``folder``, a new one."""
    folder.mkdir()
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, "utf-8")
    # One call: starting Java takes longer than any page.
    command = ["java", "-jar", str(_JAR), "--format", "json", "--exit-zero-always", str(folder)]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    messages = json.loads(said.stderr)["messages"]
    return [_line(message) for message in messages]


def _line(message: dict[str, str]) -> str:
    kind = message.get("subType", message["type"])
    return f"{unquote(Path(message.get('url', '')).stem)}: {kind}: {message['message']} {message.get('extract', '')!r}"
