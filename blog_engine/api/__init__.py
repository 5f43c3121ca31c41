"""The JSON API: the operations as HTTP addresses (service.md section 4.1)."""
