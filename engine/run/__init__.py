"""One run: its parts are wired, its images linked, its guest started and ended."""
