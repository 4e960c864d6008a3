// What GCC makes of OpenMP's pragmas: the calls that these programs write out by hand.
#ifndef GOMP_H
#define GOMP_H
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned long long ull;
typedef void part_fn(void *);
typedef void copy_fn(void *, void *);

void GOMP_parallel(part_fn *, void *, unsigned, unsigned);
void GOMP_parallel_start(part_fn *, void *, unsigned);
void GOMP_parallel_end(void);
unsigned GOMP_parallel_reductions(part_fn *, void *, unsigned, unsigned);
void GOMP_parallel_sections(part_fn *, void *, unsigned, unsigned, unsigned);
void GOMP_parallel_sections_start(part_fn *, void *, unsigned, unsigned);
void GOMP_teams_reg(part_fn *, void *, unsigned, unsigned, unsigned);
void GOMP_barrier(void);
bool GOMP_barrier_cancel(void);
bool GOMP_cancel(int, bool);
bool GOMP_cancellation_point(int);
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_name_start(void **);
void GOMP_critical_name_end(void **);
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
bool GOMP_single_start(void);
void *GOMP_single_copy_start(void);
void GOMP_single_copy_end(void *);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
unsigned GOMP_sections_start(unsigned);
unsigned GOMP_sections2_start(unsigned, uintptr_t *, void **);
unsigned GOMP_sections_next(void);
void GOMP_sections_end(void);
void GOMP_sections_end_nowait(void);
bool GOMP_sections_end_cancel(void);
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
bool GOMP_loop_end_cancel(void);
bool GOMP_loop_start(long, long, long, long, long, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ordered_start(long, long, long, long, long, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ull_start(bool, ull, ull, ull, long, ull, ull *, ull *, uintptr_t *, void **);
void GOMP_doacross_post(long *);
void GOMP_doacross_wait(long, ...);
void GOMP_doacross_ull_post(ull *);
void GOMP_doacross_ull_wait(ull, ...);
void GOMP_task(part_fn *, void *, copy_fn *, long, long, bool, unsigned, void **, int, void *);
void GOMP_taskwait(void);
void GOMP_taskwait_depend(void **);
void GOMP_taskyield(void);
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);
void GOMP_taskgroup_reduction_register(uintptr_t *);
void GOMP_taskgroup_reduction_unregister(uintptr_t *);
void GOMP_task_reduction_remap(size_t, size_t, void **);
void GOMP_workshare_task_reduction_unregister(bool);
void GOMP_taskloop(part_fn *, void *, copy_fn *, long, long, unsigned, unsigned long, int, long,
                   long, long);
void GOMP_taskloop_ull(part_fn *, void *, copy_fn *, long, long, unsigned, unsigned long, int, ull,
                       ull, ull);
void *GOMP_alloc(size_t, size_t, uintptr_t);
void GOMP_free(void *, uintptr_t);

#define CHUNKED(name) \
    bool GOMP_loop_##name##_start(long, long, long, long, long *, long *); \
    bool GOMP_loop_##name##_next(long *, long *); \
    bool GOMP_loop_ull_##name##_start(bool, ull, ull, ull, ull, ull *, ull *); \
    bool GOMP_loop_ull_##name##_next(ull *, ull *);
#define UNCHUNKED(name) \
    bool GOMP_loop_##name##_start(long, long, long, long *, long *); \
    bool GOMP_loop_##name##_next(long *, long *); \
    bool GOMP_loop_ull_##name##_start(bool, ull, ull, ull, ull *, ull *); \
    bool GOMP_loop_ull_##name##_next(ull *, ull *);
#define REGION(name) \
    void GOMP_parallel_loop_##name(part_fn *, void *, unsigned, long, long, long, long, unsigned);
#define REGION_START(name) \
    void GOMP_parallel_loop_##name##_start(part_fn *, void *, unsigned, long, long, long, long);
#define DOACROSS(name) \
    bool GOMP_loop_doacross_##name##_start(unsigned, long *, long, long *, long *); \
    bool GOMP_loop_ull_doacross_##name##_start(unsigned, ull *, ull, ull *, ull *);
CHUNKED(static) CHUNKED(dynamic) CHUNKED(guided)
CHUNKED(nonmonotonic_dynamic) CHUNKED(nonmonotonic_guided)
CHUNKED(ordered_static) CHUNKED(ordered_dynamic) CHUNKED(ordered_guided)
UNCHUNKED(runtime) UNCHUNKED(nonmonotonic_runtime) UNCHUNKED(maybe_nonmonotonic_runtime)
UNCHUNKED(ordered_runtime)
REGION(static) REGION(dynamic) REGION(guided) REGION(nonmonotonic_dynamic)
REGION(nonmonotonic_guided)
REGION_START(static) REGION_START(dynamic) REGION_START(guided)
DOACROSS(static) DOACROSS(dynamic) DOACROSS(guided)
void GOMP_parallel_loop_runtime(part_fn *, void *, unsigned, long, long, long, unsigned);
void GOMP_parallel_loop_nonmonotonic_runtime(part_fn *, void *, unsigned, long, long, long,
                                             unsigned);
void GOMP_parallel_loop_maybe_nonmonotonic_runtime(part_fn *, void *, unsigned, long, long, long,
                                                   unsigned);
void GOMP_parallel_loop_runtime_start(part_fn *, void *, unsigned, long, long, long);
bool GOMP_loop_doacross_runtime_start(unsigned, long *, long *, long *);
bool GOMP_loop_doacross_start(unsigned, long *, long, long, long *, long *, uintptr_t *, void **);
#endif
