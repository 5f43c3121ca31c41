"""What a caller may send: its shape, decided from the input alone (design.md 1.1)."""
