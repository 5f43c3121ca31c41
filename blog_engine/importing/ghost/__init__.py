"""Reading the exports of Ghost."""
