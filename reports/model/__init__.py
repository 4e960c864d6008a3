"""The report as frozen values: what was found, where, in which memory, by which rule."""
