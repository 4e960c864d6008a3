// A program around one kernel of numba: arguments are read from a file, the kernel is called, and
// what it has written is put into another file.
//
//   argv[1]  u64 n_blocks, then per block u64 bytes and its content;
//            u64 n_words, then per word u64 block + 1 (0: a plain number) and u64 number, or the
//            offset within the block
//   argv[2]  i64 status of the kernel, then the content of all blocks
//   argv[3]  threads of parallel loops
//
// Each block is one of malloc's, so it has redzones. Beside that, what numba's run time gives to
// kernels: memory that is counted, and parallel loops, here on pthreads with equal parts.
//
// Source: numba's `core/runtime/nrt.h` for the layout of NRT_MemInfo, `np/ufunc` for the loops.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int32_t irsan_call_kernel(uint64_t *words, void *result, void **exception);

enum { RESULT_BYTES = 4096, MAX_ARRAYS = 64, MAX_INNER = 16 };
static int64_t n_threads = 4;
static _Thread_local int64_t thread_number;

struct mem_info {
    size_t count;
    void (*destroy)(void *, size_t, void *);
    void *destroy_info;
    void *data;
    size_t size;
    void *allocator;
};

static void *checked_malloc(size_t size) {
    void *made = malloc(size ? size : 1);
    if (!made) abort();
    return made;
}

void *NRT_Allocate(size_t size) { return checked_malloc(size); }
void NRT_Free(void *block) { free(block); }

void *NRT_MemInfo_alloc_aligned(size_t size, uint32_t align) {
    struct mem_info *info = checked_malloc(sizeof *info);
    size_t step = align < 16 ? 16 : align;
    void *data = NULL;
    if (posix_memalign(&data, step, size ? size : 1)) abort();
    *info = (struct mem_info){1, NULL, NULL, data, size, NULL};
    return info;
}

void *NRT_MemInfo_alloc(size_t size) { return NRT_MemInfo_alloc_aligned(size, 16); }
void *NRT_MemInfo_alloc_safe(size_t size) { return NRT_MemInfo_alloc_aligned(size, 16); }
void *NRT_MemInfo_alloc_safe_aligned(size_t size, uint32_t align) {
    return NRT_MemInfo_alloc_aligned(size, align);
}
void *NRT_MemInfo_alloc_aligned_external(size_t size, uint32_t align, void *allocator) {
    (void)allocator;
    return NRT_MemInfo_alloc_aligned(size, align);
}

typedef void (*destructor)(void *, size_t, void *);

static struct mem_info *destroyed_by(struct mem_info *info, destructor destroy) {
    info->destroy = destroy;
    return info;
}

void *NRT_MemInfo_alloc_dtor(size_t size, destructor destroy) {
    return destroyed_by(NRT_MemInfo_alloc(size), destroy);
}
void *NRT_MemInfo_alloc_dtor_safe(size_t size, destructor destroy) {
    return destroyed_by(NRT_MemInfo_alloc(size), destroy);
}

// What lists lie in: it grows by being allocated anew.
void *NRT_MemInfo_new_varsize(size_t size) { return NRT_MemInfo_alloc(size); }
void *NRT_MemInfo_new_varsize_dtor(size_t size, destructor destroy) {
    return destroyed_by(NRT_MemInfo_alloc(size), destroy);
}
void *NRT_MemInfo_varsize_alloc(struct mem_info *info, size_t size) {
    info->size = size;
    return info->data = checked_malloc(size);
}
void *NRT_MemInfo_varsize_realloc(struct mem_info *info, size_t size) {
    info->size = size;
    info->data = realloc(info->data, size ? size : 1);
    if (!info->data) abort();
    return info->data;
}
void NRT_MemInfo_varsize_free(struct mem_info *info, void *block) {
    free(block);
    if (info->data == block) info->data = NULL;
}

void *NRT_MemInfo_data_fast(struct mem_info *info) { return info->data; }

void NRT_MemInfo_call_dtor(struct mem_info *info) {
    if (info->destroy) info->destroy(info->data, info->size, info->destroy_info);
    free(info->data);
    free(info);
}

typedef void (*loop_part)(char **arrays, size_t *counts, size_t *steps, void *data);

struct part {
    int64_t number;
    loop_part run;
    char *arrays[MAX_ARRAYS];
    size_t counts[1 + MAX_INNER];
    size_t *steps;
    void *data;
};

static void *run_part(void *given) {
    struct part *part = given;
    thread_number = part->number;
    part->run(part->arrays, part->counts, part->steps, part->data);
    return NULL;
}

// Python's own lock is not needed: no kernel that gets here calls Python.
void numba_gil_ensure(void *state) { (void)state; }
void numba_gil_release(void *state) { (void)state; }
void *PyEval_SaveThread(void) { return NULL; }
void PyEval_RestoreThread(void *state) { (void)state; }

int64_t get_thread_id(void) { return thread_number; }
void set_num_threads(int64_t n) { (void)n; }
int64_t get_num_threads(void) { return n_threads; }
uint64_t get_parallel_chunksize(void) { return 0; }
uint64_t set_parallel_chunksize(uint64_t size) { (void)size; return 0; }
int64_t *allocate_sched(int64_t n) { return checked_malloc((size_t)n * sizeof(int64_t)); }
void deallocate_sched(int64_t *sched) { free(sched); }

// Loops from starts[0] to ends[0], both within, are divided along their first dimension.
uint64_t get_sched_size(uint64_t n, uint64_t n_dims, int64_t *starts, int64_t *ends) {
    (void)n_dims;
    uint64_t length = (uint64_t)(ends[0] - starts[0] + 1);
    if (ends[0] < starts[0]) return 1;
    return length < n ? length : n;
}

static int64_t *divide(int64_t n_dims, int64_t *starts, int64_t *ends, int64_t n, int64_t *sched) {
    int64_t length = ends[0] - starts[0] + 1;
    for (int64_t at = 0; at < n; at++) {
        int64_t *row = sched + at * 2 * n_dims;
        memcpy(row, starts, (size_t)n_dims * sizeof *row);
        memcpy(row + n_dims, ends, (size_t)n_dims * sizeof *row);
        row[0] = starts[0] + length * at / n;
        row[n_dims] = starts[0] + length * (at + 1) / n - 1;
    }
    return sched;
}

void *do_scheduling_signed(int64_t n_dims, int64_t *starts, int64_t *ends, int64_t n,
                           int64_t *sched, int64_t debug) {
    (void)debug;
    return divide(n_dims, starts, ends, n, sched);
}

void *do_scheduling_unsigned(int64_t n_dims, int64_t *starts, int64_t *ends, int64_t n,
                             int64_t *sched, int64_t debug) {
    (void)debug;
    return divide(n_dims, starts, ends, n, sched);
}

void numba_parallel_for(void *run, char **arrays, size_t *counts, size_t *steps, void *data,
                        int64_t n_inner, int64_t n_arrays, int64_t n_wanted) {
    size_t length = counts[0], n = length < (size_t)n_wanted ? length : (size_t)n_wanted;
    if (n_arrays > MAX_ARRAYS || n_inner > MAX_INNER) abort();
    struct part *parts = checked_malloc((n + 1) * sizeof *parts);
    pthread_t *threads = checked_malloc((n + 1) * sizeof *threads);
    for (size_t at = 0; at < n; at++) {
        struct part *part = &parts[at];
        size_t lo = length * at / n, hi = length * (at + 1) / n;
        part->number = (int64_t)at;
        part->run = (loop_part)run;
        part->steps = steps;
        part->data = data;
        part->counts[0] = hi - lo;
        for (int64_t inner = 0; inner < n_inner; inner++) part->counts[1 + inner] = counts[1 + inner];
        for (int64_t one = 0; one < n_arrays; one++) part->arrays[one] = arrays[one] + steps[one] * lo;
        if (pthread_create(&threads[at], NULL, run_part, part)) abort();
    }
    for (size_t at = 0; at < n; at++) pthread_join(threads[at], NULL);
    free(threads);
    free(parts);
}

static uint64_t number(FILE *file) {
    uint64_t value = 0;
    if (fread(&value, sizeof value, 1, file) != 1) abort();
    return value;
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    n_threads = atoll(argv[3]);
    FILE *given = fopen(argv[1], "rb");
    if (!given) return 2;
    uint64_t n_blocks = number(given);
    char **blocks = checked_malloc((n_blocks + 1) * sizeof *blocks);
    uint64_t *sizes = checked_malloc((n_blocks + 1) * sizeof *sizes);
    for (uint64_t at = 0; at < n_blocks; at++) {
        sizes[at] = number(given);
        blocks[at] = checked_malloc(sizes[at]);
        if (fread(blocks[at], 1, sizes[at], given) != sizes[at]) abort();
    }
    uint64_t n_words = number(given);
    uint64_t *words = checked_malloc((n_words + 1) * sizeof *words);
    for (uint64_t at = 0; at < n_words; at++) {
        uint64_t block = number(given), value = number(given);
        words[at] = block ? (uint64_t)blocks[block - 1] + value : value;
    }
    fclose(given);
    void *result = calloc(1, RESULT_BYTES), *exception = NULL;
    int64_t status = irsan_call_kernel(words, result, &exception);
    FILE *made = fopen(argv[2], "wb");
    if (!made) return 2;
    fwrite(&status, sizeof status, 1, made);
    for (uint64_t at = 0; at < n_blocks; at++) {
        fwrite(blocks[at], 1, sizes[at], made);
        free(blocks[at]);
    }
    fclose(made);
    free(result);
    free(words);
    free(sizes);
    free(blocks);
    return 0;
}
