"""The checks of the doctor, one file each (decisions.md 4)."""
