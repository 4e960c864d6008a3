"""Facts about a function that decide which checks it needs."""
