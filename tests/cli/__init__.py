"""Commands as a shell calls them."""
