"""The files in a folder of a source."""

import os
from pathlib import Path

from blog_engine.importing.folders import file_within, files_under
from tests.requirements import requirement


@requirement("import.source.links")
def test_links_that_lead_out_of_a_folder_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    blog = tmp_path / "blog"
    (blog / "posts").mkdir(parents=True)
    (blog / "posts/one.md").write_text("one")
    (blog / "out.md").symlink_to(tmp_path / "secret.md")
    (blog / "circle.md").symlink_to("circle.md")
    (blog / "folder").symlink_to(tmp_path)
    os.mkfifo(blog / "pipe.md")

    assert [file.relative_to(blog.resolve()).as_posix() for file in files_under(blog)] == ["posts/one.md"]
    assert file_within(blog, "posts/one.md") == blog / "posts/one.md"
    for name in ("out.md", "folder/secret.md", "../secret.md", "/etc/passwd", "circle.md", "pipe.md", "no.md", "a\0b"):
        assert file_within(blog, name) is None
