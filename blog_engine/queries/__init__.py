"""Reading: querysets and frozen records, one file per noun; nothing here writes."""
