"""Walking through graphs."""
