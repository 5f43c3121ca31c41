"""A program that measures the memory for checking an image and drawing its variants.

``python -m tests.images.memory_used FILE [w480.avif …]`` prints a JSON object. It does the same with a small image of
the format first, so that libraries are loaded, as they are in a server.
"""

import json
import re
import resource
import sys
from pathlib import Path

import django
from PIL import Image as Picture

from blog_engine.content.figures import variant_size, variant_widths
from blog_engine.errors import ImageNotPermitted
from blog_engine.images.inspect import inspect_image


def main(path: Path, variants: list[str]) -> None:
    """Print the growth in bytes with that of other processes, whether it was accepted, and the variants drawn."""
    django.setup()
    # It imports models, which Django loads only after its setup; so does the module of the variants.
    from tests.support.images import encoded, halves

    data = path.read_bytes()
    with Picture.open(path) as picture:
        format = picture.format or ""
    _work(encoded(halves(size=(1600, 400)), format), variants)
    Path("/proc/self/clear_refs").write_text("5")
    before, others_before = _status("VmRSS"), _largest_other()
    try:
        drawn = _work(data, variants)
    except ImageNotPermitted:
        drawn = None
    others = _largest_other()
    grown = _status("VmHWM") - before + len(data) + (others if others > others_before else 0)
    sys.stdout.write(json.dumps({"grown": grown, "accepted": drawn is not None, "drawn": drawn or []}))


def _work(data: bytes, variants: list[str]) -> list[str]:
    from blog_engine.images.variants import TooLargeToDraw, draw

    image = inspect_image(data, filename="quay")
    offered = variant_widths(image.width, image.height, is_animated=image.is_animated)
    drawn = []
    for name in variants:
        width, format = name[1:].split(".")
        if int(width) not in offered:
            continue
        try:
            draw(data, size=variant_size(image.width, image.height, to=int(width)), format=format)
        except TooLargeToDraw:
            continue
        drawn.append(name)
    return drawn


def _largest_other() -> int:
    """Return the most memory that a process had which this one started and that has ended."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def _status(name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) * 1024


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
