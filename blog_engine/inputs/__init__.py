"""The inputs of operations: what callers can send, validated without the database."""
