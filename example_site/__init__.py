"""The smallest real host of blog_engine: for a first look, and for the tests."""
