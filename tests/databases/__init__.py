"""Hosts with more than one database: routers as Django's documentation describes them, in projects of their own."""
