"""Decode in a process of its own what may take more memory than the server has for an image."""

import logging
import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import PIL

from blog_engine.errors import ImageFault, ImageNotPermitted
from blog_engine.images import _decoding_program
from blog_engine.images._structure import MOST_BYTES

logger = logging.getLogger("blog_engine")

_SECONDS: Final = 5
"""Of processor time. Ten MiB of AVIF, the slowest format, take about four."""

_PATIENCE: Final = 20
"""Seconds for a process that has to wait for a processor."""

_KEPT_VARIABLES: Final = ("LD_LIBRARY_PATH",)
"""Some installations of Python do not start without it; the rest of the environment has secrets."""


def decode_limited(data: bytes, *, format: str, frames: int) -> None:
    """Decode all frames within ``MOST_BYTES`` and ``_SECONDS``, in a process that has ended when this returns.

    ``format`` is Pillow's name. Raises ``ImageNotPermitted`` for an image that is damaged or takes more, and where no
    such process can be started.
    """
    interpreter = _interpreter()
    if interpreter is None:
        raise _not_here()
    limits = [str(frames), str(MOST_BYTES), str(_SECONDS)]
    folder = str(Path(PIL.__file__).parents[1])
    try:
        # No shell reads the arguments, and none comes from the caller.
        done = subprocess.run(  # noqa: S603
            [interpreter, "-I", "-S", _decoding_program.__file__, folder, format, *limits],
            input=data,
            capture_output=True,
            env={name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _too_much() from None
    except OSError as fault:
        logger.warning("No process could be started that decodes a large image: %r", fault)
        raise _not_here() from fault
    # Not its exit code, which is always 0 in a server that ignores the signal about ended processes.
    if done.stdout != b"decoded":
        logger.info("A large image was not decoded: %r", done.stderr.strip().rpartition(b"\n")[2][:200])
        raise _too_much()


def can_decode_limited() -> bool:
    """Return whether this system has a Python to start and limits on its memory."""
    return _interpreter() is not None


@cache
def _interpreter() -> str | None:
    """Return the path of this Python, or ``None``, also on a system that limits no memory.

    In a server that embeds Python, ``sys.executable`` can be the server.
    """
    if find_spec("resource") is None:
        return None
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    folders = [Path(prefix, "bin") for prefix in (sys.prefix, sys.base_prefix)]
    own = [Path(sys.executable)] if Path(sys.executable or "").name.startswith("python") else []
    candidates = [*own, *(folder / version for folder in folders)]
    return next((str(path) for path in candidates if os.access(path, os.X_OK)), None)


def _too_much() -> ImageNotPermitted:
    return ImageNotPermitted(
        hint=(
            f"The image is damaged, or decoding it takes more than 300 MB of memory or {_SECONDS} seconds of processor "
            "time: send the whole file, a smaller version, or a photo as JPEG."
        ),
        fault=ImageFault.PARTS,
    )


def _not_here() -> ImageNotPermitted:
    return ImageNotPermitted(
        hint="This server cannot decode an image as large: send a smaller version.", fault=ImageFault.PARTS
    )
