"""Renderers for machines: JSON, SARIF, JUnit, GitLab, GitHub, Perfetto, Valgrind XML."""
