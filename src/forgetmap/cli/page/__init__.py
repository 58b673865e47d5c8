"""What the command line shows: pages as values, and two ways to draw them."""
