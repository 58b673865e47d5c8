"""Pages as a terminal shows them."""
