"""Logs that others published on the Hugging Face Hub: found, fetched as far as they are needed, and read as if they lay here."""
