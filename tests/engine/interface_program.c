/* One case per first argument: stack, globals and the public interface of the sanitizers. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int big[10];
char name[5] = "abcd";
static int few[3];
static jmp_buf where;

extern void __asan_poison_memory_region(void const volatile *, size_t);
extern void __asan_unpoison_memory_region(void const volatile *, size_t);
extern int __asan_address_is_poisoned(void const volatile *);
extern void *__asan_region_is_poisoned(void *, size_t);
extern void __asan_describe_address(void *);
extern const char *__asan_locate_address(void *, char *, size_t, void **, size_t *);
extern void __asan_get_shadow_mapping(size_t *, size_t *);
extern void __sanitizer_annotate_contiguous_container(const void *, const void *, const void *,
                                                      const void *);
extern int __sanitizer_verify_contiguous_container(const void *, const void *, const void *);
extern size_t __sanitizer_get_allocated_size(const void *);
extern int __sanitizer_get_ownership(const void *);
extern const void *__sanitizer_get_allocated_begin(const void *);
extern unsigned __sanitizer_unaligned_load32(const void *);
extern void __sanitizer_unaligned_store32(void *, unsigned);
extern void __sanitizer_print_stack_trace(void);
extern void __sanitizer_set_report_path(const char *);
extern void __sanitizer_start_switch_fiber(void **, const void *, size_t);

__attribute__((noinline)) static int *leave(int n) {
    int gone[8];
    gone[n] = n;
    int *volatile kept = gone;
    return kept;
}

__attribute__((noinline)) static void jump_out(int n) {
    char room[64];
    memset(room, n, sizeof room);
    if (n == 0)
        longjmp(where, 1);
    jump_out(n - 1);
    room[0] = 1;
}

__attribute__((noinline)) static int descend(int n) {
    volatile char room[40];
    room[n % 40] = (char)n;
    return n == 0 ? 0 : descend(n - 1) + room[n % 40] - (char)n;
}

__attribute__((noinline, no_sanitize("address"))) static int peek(size_t address) {
    return *(unsigned char *)address;
}

static int is(char **argv, const char *word) { return !strcmp(argv[1], word); }

static void questions(void) {
    char *block = malloc(64);
    __asan_poison_memory_region(block + 16, 16);
    printf("%d %d %d\n", __asan_address_is_poisoned(block + 15),
           __asan_address_is_poisoned(block + 16), __asan_address_is_poisoned(block + 32));
    printf("%td\n", (char *)__asan_region_is_poisoned(block, 64) - block);
    __asan_unpoison_memory_region(block, 64);
    printf("%d\n", __asan_region_is_poisoned(block, 64) == NULL);
    printf("%zu %d %d %d\n", __sanitizer_get_allocated_size(block),
           __sanitizer_get_ownership(block), __sanitizer_get_ownership(block + 1),
           __sanitizer_get_allocated_begin(block + 9) == block);
    __sanitizer_unaligned_store32(block + 3, 77);
    printf("%u\n", __sanitizer_unaligned_load32(block + 3));
    char label[32];
    void *region;
    size_t size, scale, offset;
    int local[7];
    printf("%s ", __asan_locate_address(local + 2, label, sizeof label, &region, &size));
    printf("%s %zu %d\n", label, size, region == local);
    printf("%s ", __asan_locate_address(&big[1], label, sizeof label, &region, &size));
    printf("%s %zu %d\n", label, size, region == big);
    __asan_get_shadow_mapping(&scale, &offset);
    __asan_poison_memory_region(block + 8, 8);
    printf("%zu %x\n", scale, peek(((size_t)(block + 8) >> scale) + offset));
    __asan_unpoison_memory_region(block + 8, 8);
    free(block);
}

static int container(char **argv) {
    char *storage = malloc(64);
    __sanitizer_annotate_contiguous_container(storage, storage + 64, storage + 64, storage + 20);
    if (!__sanitizer_verify_contiguous_container(storage, storage + 20, storage + 64))
        return 1;
    if (is(argv, "container"))
        return storage[20];
    if (is(argv, "container-bad"))
        __sanitizer_annotate_contiguous_container(storage, storage + 64, storage + 20,
                                                  storage + 65);
    __sanitizer_annotate_contiguous_container(storage, storage + 64, storage + 20, storage + 64);
    storage[63] = 1;
    free(storage);
    return 0;
}

int main(int argc, char **argv) {
    if (is(argv, "global-after"))
        return big[argc + 8];
    if (is(argv, "static-after")) {
        few[0] = argc;
        int *volatile start = few;
        start[argc + 1] = 4;
        return few[argc - 2];
    }
    if (is(argv, "partial-after"))
        return name[argc + 3 + 1];
    if (is(argv, "return"))
        return *leave(argc);
    if (is(argv, "scope")) {
        int *kept;
        {
            int inner[4];
            inner[argc] = 1;
            kept = inner;
        }
        return kept[argc];
    }
    if (is(argv, "vla")) {
        volatile char sized[argc + 10];
        sized[argc + 10] = 1;
        return sized[2];
    }
    if (is(argv, "user-poison")) {
        char *block = malloc(64);
        __asan_poison_memory_region(block + 16, 16);
        ((volatile char *)block)[20] = 1;
        return 0;
    }
    if (is(argv, "library-write")) {
        char small[4];
        volatile size_t n = 12;
        memset(small, 'x', n);
        return small[argc];
    }
    if (is(argv, "underflow")) {
        volatile int row[10];
        return row[argc - 3];
    }
    if (is(argv, "longjmp")) {
        for (int i = 0; i < 1000; i++)
            if (!setjmp(where))
                jump_out(20);
        char whole[200];
        memset(whole, 0, sizeof whole);
        return whole[argc];
    }
    if (is(argv, "deep"))
        return descend(20000);
    if (is(argv, "questions"))
        questions();
    if (is(argv, "speech")) {
        int local[7];
        local[0] = argc;
        char *block = malloc(33);
        __sanitizer_print_stack_trace();
        __asan_describe_address(block + 3);
        __asan_describe_address(&big[2]);
        __asan_describe_address(&local[1]);
        free(block);
        return local[0] - argc;
    }
    if (is(argv, "not-owned"))
        return (int)__sanitizer_get_allocated_size(&big[1]);
    if (!strncmp(argv[1], "container", 9))
        return container(argv);
    if (is(argv, "fiber"))
        __sanitizer_start_switch_fiber(NULL, NULL, 0);
    if (is(argv, "report-path")) {
        __sanitizer_set_report_path(argv[2]);
        volatile char *block = malloc(8);
        free((void *)block);
        return block[1];
    }
    return 0;
}
