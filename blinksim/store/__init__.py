"""Run folders and the schema of what is kept in them."""
