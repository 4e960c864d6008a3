"""Reports: a data model first, then one renderer per format."""
