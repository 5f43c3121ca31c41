"""All cases of the parity test."""

from tests.mcp.parity_case import Case
from tests.mcp.post_cases import POSTS
from tests.mcp.reading_cases import READING
from tests.mcp.record_cases import LISTS, RECORDS

CASES: list[Case] = [*READING, *POSTS, *LISTS, *RECORDS]
SUCCESSES = [case for case in CASES if case.refusal is None]
REFUSALS = [case for case in CASES if case.refusal is not None]
