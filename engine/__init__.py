"""Engines that run instrumented programs under the runtime."""
