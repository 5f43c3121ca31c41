"""Programs of the machine that some tests need."""

import os
import shutil
import sys
from pathlib import Path
from typing import Final

from blog_engine.images.fonts import FontSet

BROWSER: Final = os.environ.get("BROWSER", "chromium")
"""The browser that reads the pages: ``chromium`` or ``firefox``."""

_PROGRAMS: Final = {"chromium": "chromium", "firefox": "firefox-esr"}


def browser_program() -> str | None:
    """Return the path of the browser that the environment variable ``BROWSER`` names, as Debian calls it."""
    return shutil.which(_PROGRAMS[BROWSER])


def hugo_program() -> str | None:
    """Return the path of Hugo, which its Python package installs beside the interpreter."""
    return shutil.which("hugo", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")


def jekyll_program() -> str | None:
    """Return the path of Jekyll, as Debian installs it."""
    return shutil.which("jekyll")


def eleventy_program() -> str | None:
    """Return the path of Eleventy, from the PATH or the folder that ``ELEVENTY`` names."""
    return shutil.which("eleventy", path=f"{os.environ.get('ELEVENTY', '')}{os.pathsep}{os.environ.get('PATH', '')}")


def nginx_program() -> str | None:
    """Return the path of nginx, which Debian keeps off the PATH of ordinary users."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin")


def pgbouncer_program() -> str | None:
    """Return the path of PgBouncer, which Debian keeps off the PATH of ordinary users."""
    return shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin")


def webkit_program() -> str | None:
    """Return the path of the small browser in Debian's package ``libwebkit2gtk``, which a WebDriver can drive."""
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-*/MiniBrowser"))
    return str(found[-1]) if found else None


def can_drive_webkit() -> bool:
    """Return whether WebKit, its driver and a display are here."""
    return bool(webkit_program() and shutil.which("WebKitWebDriver") and os.environ.get("DISPLAY"))


def draws_every_script() -> bool:
    """Return whether the fonts of this machine, and the library that joins and orders letters, draw every script."""
    return FontSet().missing("漢字 서버 שלום हिन्दी") == ""
