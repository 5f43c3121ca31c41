"""Sphinx builds docs/ into a site: scripts/docs."""

project = "blog_engine"
copyright = "The blog_engine developers"
extensions = ["myst_parser"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "blog_engine"
html_copy_source = False
myst_heading_anchors = 4
# Rules of the contract are anchors in raw HTML, which MyST does not know. tests/test_documentation.py checks that every
# linked file and anchor exists.
suppress_warnings = ["myst.xref_missing"]
