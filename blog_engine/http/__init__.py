"""What a request brings, apart from permission: its body, faults on the way, exemptions from host rules."""
