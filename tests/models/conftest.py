"""Transactional tests of this folder flush history."""

from blog_engine.testing import allow_flush

allow_flush()
