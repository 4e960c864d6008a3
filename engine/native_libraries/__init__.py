"""Native shared libraries of a guest: private copies whose imports lead to interceptors."""
