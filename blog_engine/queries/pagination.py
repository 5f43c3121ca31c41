"""The number of pages of a list."""


def page_count(total: int, *, per_page: int) -> int:
    """Return the number of pages of a list; an empty list also has one."""
    return max(1, -(-total // per_page))
