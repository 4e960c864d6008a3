"""The running guest: its memory, its event loop, and irsan's own part of its process."""
