"""What the words of a command line stand for: units of IR, objects, archives, libraries."""
