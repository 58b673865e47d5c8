"""What report and view share: a map and its items as a page takes them, and the script and style that draw them."""
