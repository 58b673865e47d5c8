"""What is said of a map, in sections of sentences, bullets and tables: values that a terminal, Markdown and a report draw."""
