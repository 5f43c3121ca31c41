"""Programs of the machine that some tests need."""

import os
import shutil
import sys
from pathlib import Path


def hugo_program() -> str | None:
    """Return the path of Hugo, which its Python package installs beside the interpreter."""
    return shutil.which("hugo", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")


def nginx_program() -> str | None:
    """Return the path of nginx, which Debian keeps off the PATH of ordinary users."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin")
