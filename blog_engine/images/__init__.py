"""Image bytes: what they are, where their files are kept, and the smaller versions that pages show."""
