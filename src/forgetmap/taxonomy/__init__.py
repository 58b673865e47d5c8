"""Capabilities and categories: opinions about tasks, kept as data."""
