"""Rendering of bodies with the settings of the blog: what a write stores of a body, and what readers get.

``derive_body`` and ``derive_new_body`` return everything that follows from a body; ``rendered_body`` returns what is
stored with a post, or renders it again when that is outdated. The content itself is worked out by
``blog_engine.content``, which knows neither settings nor database.
"""
