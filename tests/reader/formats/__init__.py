"""The formats of a host that has its own."""
