"""Many reports, or one beside another: merge, compare, gate, triage."""
