"""Hosts with several databases and routers as in Django's documentation, in their own projects."""
