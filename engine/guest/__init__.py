"""The running guest: its memory, its event loop, and what is irsan's own in its process."""
