"""Check what an agent did: ``python -m benchmarks.agents.check FOLDER --checkout PATH``.

A task is ``pass``, ``instead`` (done in the other way that the task allows where the blog offers none) or ``fail``,
with the faults.
"""

import argparse
import json
import sys
from pathlib import Path

from benchmarks.agents.site import ROOT, Folder, set_up


def main() -> int:
    """Print the verdict on each task; 1 if one has failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="the folder of the run")
    parser.add_argument("--checkout", type=Path, default=ROOT, help="the version that the blog was served with")
    options = parser.parse_args()
    folder = Folder(options.folder)
    set_up(folder, checkout=options.checkout)
    from benchmarks.agents.state import proposals_of_blog, state_of_blog
    from benchmarks.agents.verdicts import Run, verdicts

    before = json.loads(folder.before.read_text("utf-8"))
    answers = {path.stem: path.read_text("utf-8") for path in folder.answers.glob("*.md")}
    # As JSON, in which a tuple of the database is a list.
    after = json.loads(json.dumps(state_of_blog()))
    found = verdicts(Run(before, after, answers, proposals_of_blog(), (folder.agent / "files/ferry.jpg").read_bytes()))
    for name, verdict in found.items():
        print(f"{name:>6}  {verdict}")
    return 1 if any(str(verdict).startswith("fail") for verdict in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
