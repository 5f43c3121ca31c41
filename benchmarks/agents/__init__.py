"""Ten editorial tasks for an agent, on a seeded blog, with the tokens that they cost; README.md explains them."""
