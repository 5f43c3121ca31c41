"""Programs of the machine that some tests need."""

import os
import shutil


def nginx_program() -> str | None:
    """Return the path of nginx, which Debian keeps off the PATH of ordinary users."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin")
