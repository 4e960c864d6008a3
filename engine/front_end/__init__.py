"""From what the user names (source, IR, objects, libraries) to bitcode of every unit."""
