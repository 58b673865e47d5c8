"""A map as one file that people open: facts packed small, drawn by a page that asks nobody for anything."""
