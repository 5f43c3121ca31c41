"""Dates in Italian."""

DATE_FORMAT = "Y-m-d"
