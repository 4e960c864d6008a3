"""Strings, wide strings, printf, scanf, numbers in text, locales."""
