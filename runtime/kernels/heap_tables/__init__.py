"""Tables of the heap: chunks, size classes, spans."""
