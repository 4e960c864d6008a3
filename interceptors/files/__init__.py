"""Files and descriptors: read, write, stdio, directories, stat, ioctl, locks."""
