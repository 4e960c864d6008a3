"""The static linker inside irsan: objects and archives become code at fixed addresses."""
