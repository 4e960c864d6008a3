/* Eight threads allocate, resize, hand over and free blocks of random sizes, and check each block.
 *
 *     heap_soak OPERATIONS SEED
 *
 * Every block is filled with a byte made of its size and its number, which is checked before it
 * is resized or freed. Each thread loses three blocks of 1000 bytes on purpose; all other blocks
 * are freed at the end but for those that the table `kept` holds. What the model counted is
 * printed: allocations, frees, bytes live at the end, most bytes live at once.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, SLOTS = 2000, MAILBOX = 64, KEPT = 50, LOST = 3, LOST_BYTES = 1000 };

struct block {
    unsigned char *bytes;
    size_t size;
    unsigned char fill;
};

struct worker {
    uint64_t random;
    long operations;
    long allocations, frees;
    struct block slots[SLOTS];
};

static struct worker workers[THREADS];
static struct block mailbox[MAILBOX];
static struct block kept[KEPT];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long live_bytes, peak_bytes;

static uint64_t draw(struct worker *worker) {
    uint64_t x = worker->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    worker->random = x;
    return x >> 11;
}

static size_t draw_size(struct worker *worker) {
    uint64_t kind = draw(worker) % 100;
    if (kind < 60) return 64 + draw(worker) % 960;
    if (kind < 95) return 1024 + draw(worker) % 7168;
    if (kind < 99) return 8192 + draw(worker) % 57344;
    return draw(worker) % 300000;
}

static void count(long change) {
    long now = __atomic_add_fetch(&live_bytes, change, __ATOMIC_RELAXED);
    long peak = __atomic_load_n(&peak_bytes, __ATOMIC_RELAXED);
    while (now > peak && !__atomic_compare_exchange_n(&peak_bytes, &peak, now, 0, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED)) {
    }
}

static void fail(const char *what) {
    printf("heap_soak: %s\n", what);
    exit(9);
}

static void check(const struct block *block) {
    size_t step = block->size / 8 + 1;
    for (size_t i = 0; i < block->size; i += step) {
        if (block->bytes[i] != block->fill) fail("a byte has changed");
    }
    if (block->size && block->bytes[block->size - 1] != block->fill) fail("the last byte changed");
}

static void fill(struct worker *worker, struct block *block) {
    block->fill = (unsigned char)(block->size * 31 + draw(worker));
    memset(block->bytes, block->fill, block->size);
}

static void take(struct worker *worker, struct block *block) {
    block->size = draw_size(worker);
    int is_zeroed = draw(worker) % 8 == 0;
    block->bytes = is_zeroed ? calloc(1, block->size) : malloc(block->size);
    if (!block->bytes) fail("no memory");
    block->fill = 0;
    if (is_zeroed) check(block);
    worker->allocations++;
    count((long)block->size);
    fill(worker, block);
}

static void give(struct worker *worker, struct block *block) {
    check(block);
    count(-(long)block->size);
    free(block->bytes);
    block->bytes = NULL;
    worker->frees++;
}

static void resize(struct worker *worker, struct block *block) {
    check(block);
    size_t old = block->size;
    block->size = draw_size(worker) + 1;
    block->bytes = realloc(block->bytes, block->size);
    count((long)block->size - (long)old);
    worker->allocations++;
    worker->frees++;
    struct block before = {block->bytes, old < block->size ? old : block->size, block->fill};
    check(&before);
    fill(worker, block);
}

static void exchange(struct worker *worker, struct block *block) {
    pthread_mutex_lock(&lock);
    struct block *other = &mailbox[draw(worker) % MAILBOX];
    struct block mine = *block;
    *block = *other;
    *other = mine;
    pthread_mutex_unlock(&lock);
}

static void lose(struct worker *worker) {
    volatile char *block = malloc(LOST_BYTES);
    block[0] = 1;
    worker->allocations++;
    count(LOST_BYTES);
}

static void *work(void *argument) {
    struct worker *worker = argument;
    for (long i = 0; i < worker->operations; i++) {
        struct block *block = &worker->slots[draw(worker) % SLOTS];
        uint64_t kind = draw(worker) % 16;
        if (!block->bytes) take(worker, block);
        else if (kind < 3) resize(worker, block);
        else if (kind == 3) exchange(worker, block);
        else give(worker, block);
    }
    for (int i = 0; i < LOST; i++) lose(worker);
    return NULL;
}

static void finish(struct worker *worker, int number) {
    for (int i = 0; i < SLOTS; i++) {
        struct block *block = &worker->slots[i];
        if (!block->bytes) continue;
        if (number == 0 && i < KEPT) {
            kept[i] = *block;
            block->bytes = NULL;
        } else {
            give(worker, block);
        }
    }
}

int main(int argc, char **argv) {
    long operations = argc > 1 ? atol(argv[1]) : 100000;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i].random = (seed + 1) * 0x9E3779B97F4A7C15u + (uint64_t)i * 0xD1B54A32D192ED03u;
        workers[i].operations = operations / THREADS;
        pthread_create(&threads[i], NULL, work, &workers[i]);
    }
    long allocations = 0, frees = 0;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < MAILBOX; i++) {
        if (mailbox[i].bytes) give(&workers[0], &mailbox[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        finish(&workers[i], i);
        allocations += workers[i].allocations;
        frees += workers[i].frees;
    }
    printf("%ld %ld %ld %ld\n", allocations, frees, live_bytes, peak_bytes);
    return 0;
}
