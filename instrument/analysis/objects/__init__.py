"""Objects that pointers point into: where they begin, their sizes, who knows their address."""
