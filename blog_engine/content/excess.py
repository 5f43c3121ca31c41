"""What a text is refused for that would take too long to render."""


class TooMuchMarkup(Exception):
    """A text is past a limit of its format; the message is a sentence that names the limit."""
