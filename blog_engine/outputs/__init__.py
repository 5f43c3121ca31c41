"""What the engine answers."""
