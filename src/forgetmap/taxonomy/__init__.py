"""Capabilities and categories: opinions about tasks, kept as data."""

TAXONOMIES = {
    "default": "forgetmap.taxonomy.place:default",
    "paper": "forgetmap.taxonomy.paper:paper",
}
"""Built-in taxonomies, by the name that `--taxonomy` takes."""
