"""Shadow and origins of uninitialised bits."""
