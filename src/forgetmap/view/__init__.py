"""A study in the browser, from a server on this machine alone: any pair of its runs, each cell open to its very items."""
