"""Measure what requests cost, beside a bare Django view: ``scripts/benchmark``."""

import os
import sys

CHECKOUT = "BLOG_ENGINE_CHECKOUT"
"""The variable with the path of the checkout whose ``blog_engine`` and ``example_site`` are measured."""

if os.environ.get(CHECKOUT):
    sys.path.insert(0, os.environ[CHECKOUT])
