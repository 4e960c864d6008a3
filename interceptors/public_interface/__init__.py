"""The sanitizers' public interface: `__asan_*`, `__tsan_*`, `__msan_*`, `__ubsan_*`."""
