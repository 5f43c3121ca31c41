"""A minimal host of blog_engine, to try it out and for the tests."""
