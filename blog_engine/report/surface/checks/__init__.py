"""The checks of the surface report, one small function each (records.md 16)."""
