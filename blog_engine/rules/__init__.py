"""Rules on rows alone: the label, the dates and the content of a revision. Queries nothing."""
