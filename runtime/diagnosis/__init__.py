"""From a kernel's few words to every fact of a finding."""
