/* OpenMP's functions for C and C++, as irsan has them (OpenMP 5.2, chapter 18).

   Types have the sizes of LLVM's library, so objects made with either header fit together.  There
   are no devices and no places; allocators are all the program's heap. */

#ifndef IRSAN_OMP_H
#define IRSAN_OMP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define IRSAN_OMP_DEFAULT(value) = value
#else
#define IRSAN_OMP_DEFAULT(value)
#endif

typedef struct omp_lock_t { void *held; } omp_lock_t;
typedef struct omp_nest_lock_t { void *held; } omp_nest_lock_t;

typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = (int)0x80000000
} omp_sched_t;

typedef enum omp_proc_bind_t {
    omp_proc_bind_false = 0,
    omp_proc_bind_true = 1,
    omp_proc_bind_primary = 2,
    omp_proc_bind_master = 2,
    omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
} omp_proc_bind_t;

typedef enum omp_sync_hint_t {
    omp_sync_hint_none = 0,
    omp_sync_hint_uncontended = 1,
    omp_sync_hint_contended = 2,
    omp_sync_hint_nonspeculative = 4,
    omp_sync_hint_speculative = 8,
    omp_lock_hint_none = 0,
    omp_lock_hint_uncontended = 1,
    omp_lock_hint_contended = 2,
    omp_lock_hint_nonspeculative = 4,
    omp_lock_hint_speculative = 8
} omp_sync_hint_t;
typedef omp_sync_hint_t omp_lock_hint_t;

typedef void *omp_depend_t;
typedef uintptr_t omp_uintptr_t;

#ifdef __cplusplus
typedef enum omp_event_handle_t : omp_uintptr_t { irsan_omp_event_max = UINTPTR_MAX } omp_event_handle_t;
#else
typedef enum omp_event_handle_t { irsan_omp_event_max = INTPTR_MAX } omp_event_handle_t;
#endif

typedef uintptr_t omp_memspace_handle_t;
#define omp_default_mem_space ((omp_memspace_handle_t)0)
#define omp_large_cap_mem_space ((omp_memspace_handle_t)1)
#define omp_const_mem_space ((omp_memspace_handle_t)2)
#define omp_high_bw_mem_space ((omp_memspace_handle_t)3)
#define omp_low_lat_mem_space ((omp_memspace_handle_t)4)

#ifdef __cplusplus
typedef enum omp_allocator_handle_t : omp_uintptr_t {
#else
typedef enum omp_allocator_handle_t {
#endif
    omp_null_allocator = 0,
    omp_default_mem_alloc = 1,
    omp_large_cap_mem_alloc = 2,
    omp_const_mem_alloc = 3,
    omp_high_bw_mem_alloc = 4,
    omp_low_lat_mem_alloc = 5,
    omp_cgroup_mem_alloc = 6,
    omp_pteam_mem_alloc = 7,
    omp_thread_mem_alloc = 8,
#ifdef __cplusplus
    irsan_omp_allocator_max = UINTPTR_MAX
#else
    irsan_omp_allocator_max = INTPTR_MAX
#endif
} omp_allocator_handle_t;

typedef struct omp_alloctrait_t { int key; omp_uintptr_t value; } omp_alloctrait_t;

typedef void *omp_interop_t;
#define omp_interop_none ((omp_interop_t)0)
typedef enum omp_interop_property {
    omp_ipr_fr_id = -1,
    omp_ipr_fr_name = -2,
    omp_ipr_vendor = -3,
    omp_ipr_vendor_name = -4,
    omp_ipr_device_num = -5,
    omp_ipr_platform = -6,
    omp_ipr_device = -7,
    omp_ipr_device_context = -8,
    omp_ipr_targetsync = -9,
    omp_ipr_first = -9
} omp_interop_property_t;
typedef enum omp_interop_rc {
    omp_irc_no_value = 1,
    omp_irc_success = 0,
    omp_irc_empty = -1,
    omp_irc_out_of_range = -2,
    omp_irc_type_int = -3,
    omp_irc_type_ptr = -4,
    omp_irc_type_str = -5,
    omp_irc_other = -6
} omp_interop_rc_t;

typedef enum omp_pause_resource_t {
    omp_pause_resume = 0,
    omp_pause_soft = 1,
    omp_pause_hard = 2
} omp_pause_resource_t;

typedef enum omp_control_tool_t {
    omp_control_tool_start = 1,
    omp_control_tool_pause = 2,
    omp_control_tool_flush = 3,
    omp_control_tool_end = 4
} omp_control_tool_t;
typedef enum omp_control_tool_result_t {
    omp_control_tool_notool = -2,
    omp_control_tool_nocallback = -1,
    omp_control_tool_success = 0,
    omp_control_tool_ignored = 1
} omp_control_tool_result_t;

enum { omp_initial_device = -1, omp_invalid_device = -2 };

/* Threads, levels, schedules. */
void omp_set_num_threads(int);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_dynamic(int);
int omp_get_dynamic(void);
void omp_set_nested(int);
int omp_get_nested(void);
int omp_get_cancellation(void);
void omp_set_schedule(omp_sched_t, int);
void omp_get_schedule(omp_sched_t *, int *);
int omp_get_thread_limit(void);
int omp_get_supported_active_levels(void);
void omp_set_max_active_levels(int);
int omp_get_max_active_levels(void);
int omp_get_level(void);
int omp_get_ancestor_thread_num(int);
int omp_get_team_size(int);
int omp_get_active_level(void);

/* Teams. */
int omp_get_num_teams(void);
int omp_get_team_num(void);
void omp_set_num_teams(int);
int omp_get_max_teams(void);
void omp_set_teams_thread_limit(int);
int omp_get_teams_thread_limit(void);

/* Tasks. */
int omp_in_final(void);
int omp_in_explicit_task(void);
int omp_get_max_task_priority(void);
void omp_fulfill_event(omp_event_handle_t);

/* Places and devices. */
omp_proc_bind_t omp_get_proc_bind(void);
int omp_get_num_places(void);
int omp_get_place_num_procs(int);
int omp_get_place_num(void);
int omp_get_partition_num_places(void);
int omp_get_num_devices(void);
int omp_get_device_num(void);
int omp_get_default_device(void);
void omp_set_default_device(int);
int omp_get_initial_device(void);
int omp_is_initial_device(void);

void omp_get_place_proc_ids(int, int *);
void omp_get_partition_place_nums(int *);
int omp_pause_resource(omp_pause_resource_t, int);
int omp_pause_resource_all(omp_pause_resource_t);

/* Affinity as text, settings, tools, objects of foreign runtimes. */
void omp_set_affinity_format(const char *);
size_t omp_get_affinity_format(char *, size_t);
void omp_display_affinity(const char *);
size_t omp_capture_affinity(char *, size_t, const char *);
void omp_display_env(int);
int omp_control_tool(int, int, void *);
int omp_get_num_interop_properties(const omp_interop_t);
intptr_t omp_get_interop_int(const omp_interop_t, omp_interop_property_t, int *);
void *omp_get_interop_ptr(const omp_interop_t, omp_interop_property_t, int *);
const char *omp_get_interop_str(const omp_interop_t, omp_interop_property_t, int *);
const char *omp_get_interop_name(const omp_interop_t, omp_interop_property_t);
const char *omp_get_interop_type_desc(const omp_interop_t, omp_interop_property_t);
const char *omp_get_interop_rc_desc(const omp_interop_t, omp_interop_rc_t);

/* Memory of devices: of the host. */
void *omp_target_alloc(size_t, int);
void omp_target_free(void *, int);
int omp_target_is_present(const void *, int);
int omp_target_is_accessible(const void *, size_t, int);
void *omp_get_mapped_ptr(const void *, int);
int omp_target_memcpy(void *, const void *, size_t, size_t, size_t, int, int);
int omp_target_memcpy_async(void *, const void *, size_t, size_t, size_t, int, int, int, omp_depend_t *);
int omp_target_memcpy_rect(void *, const void *, size_t, int, const size_t *, const size_t *,
                           const size_t *, const size_t *, const size_t *, int, int);
int omp_target_memcpy_rect_async(void *, const void *, size_t, int, const size_t *, const size_t *,
                                 const size_t *, const size_t *, const size_t *, int, int, int,
                                 omp_depend_t *);
void *omp_target_memset(void *, int, size_t, int);
void *omp_target_memset_async(void *, int, size_t, int, int, omp_depend_t *);
int omp_target_associate_ptr(const void *, const void *, size_t, size_t, int);
int omp_target_disassociate_ptr(const void *, int);

/* Locks. */
void omp_init_lock(omp_lock_t *);
void omp_init_lock_with_hint(omp_lock_t *, omp_sync_hint_t);
void omp_destroy_lock(omp_lock_t *);
void omp_set_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);
int omp_test_lock(omp_lock_t *);
void omp_init_nest_lock(omp_nest_lock_t *);
void omp_init_nest_lock_with_hint(omp_nest_lock_t *, omp_sync_hint_t);
void omp_destroy_nest_lock(omp_nest_lock_t *);
void omp_set_nest_lock(omp_nest_lock_t *);
void omp_unset_nest_lock(omp_nest_lock_t *);
int omp_test_nest_lock(omp_nest_lock_t *);

/* Time. */
double omp_get_wtime(void);
double omp_get_wtick(void);

/* Memory. */
void *omp_alloc(size_t, omp_allocator_handle_t IRSAN_OMP_DEFAULT(omp_null_allocator));
void *omp_aligned_alloc(size_t, size_t, omp_allocator_handle_t IRSAN_OMP_DEFAULT(omp_null_allocator));
void *omp_calloc(size_t, size_t, omp_allocator_handle_t IRSAN_OMP_DEFAULT(omp_null_allocator));
void *omp_aligned_calloc(size_t, size_t, size_t, omp_allocator_handle_t IRSAN_OMP_DEFAULT(omp_null_allocator));
void *omp_realloc(void *, size_t, omp_allocator_handle_t IRSAN_OMP_DEFAULT(omp_null_allocator),
                  omp_allocator_handle_t IRSAN_OMP_DEFAULT(omp_null_allocator));
void omp_free(void *, omp_allocator_handle_t IRSAN_OMP_DEFAULT(omp_null_allocator));
omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t, int, const omp_alloctrait_t *);
void omp_destroy_allocator(omp_allocator_handle_t);
void omp_set_default_allocator(omp_allocator_handle_t);
omp_allocator_handle_t omp_get_default_allocator(void);

#undef IRSAN_OMP_DEFAULT
#ifdef __cplusplus
}
#endif

#endif
