"""Which part of a file a browser asks for (RFC 9110, section 14)."""

import pytest

from blog_engine.reader.media import ByteRange, UnsatisfiableRange, requested_range
from tests.requirements import requirement


@requirement("media.proxy.conditional")
@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("bytes=0-0", ByteRange(0, 0)),
        ("bytes=0-99", ByteRange(0, 99)),
        ("bytes=10-", ByteRange(10, 99)),
        ("bytes=10-500", ByteRange(10, 99)),
        ("bytes=99-99", ByteRange(99, 99)),
        ("bytes=-1", ByteRange(99, 99)),
        ("bytes=-100", ByteRange(0, 99)),
        ("bytes=-500", ByteRange(0, 99)),
        ("BYTES=5-6", ByteRange(5, 6)),
        ("bytes= 5-6 ", ByteRange(5, 6)),
        ("bytes=0000000005-6", ByteRange(5, 6)),
    ],
)
def test_a_single_range_is_given(header: str, part: ByteRange) -> None:
    assert requested_range(header, size=100) == part


@requirement("media.proxy.conditional")
@pytest.mark.parametrize(
    "header",
    [
        *(None, "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5", "bytes=6-5", "bytes=--5", "bytes=5-6-7"),
        *(
            "bytes=0-1,5-6",
            "bytes=0-1,",
            "lines=0-1",
            "bytes 0-1",
            "bytes=+1-2",
            "bytes=1_0-2_0",
            "bytes=\u0665-\u0666",
        ),
        *("bytes=" + "9" * 5_000 + "-", "bytes=-" + "9" * 5_000),
    ],
)
def test_other_ranges_are_ignored(header: str | None) -> None:
    assert requested_range(header, size=100) is None


@pytest.mark.parametrize(
    ("header", "size"),
    [("bytes=100-", 100), ("bytes=100-200", 100), ("bytes=-0", 100), ("bytes=0-", 0), ("bytes=-5", 0)],
)
def test_a_range_after_the_end_is_unsatisfiable(header: str, size: int) -> None:
    with pytest.raises(UnsatisfiableRange):
        requested_range(header, size=size)


def test_the_length_counts_both_ends() -> None:
    assert ByteRange(10, 19).length == 10
