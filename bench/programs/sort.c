// Quicksort with insertion sort below, then a heap sort of the same numbers: branches and swaps.
// SIZE: default 2500000, smoke 100000
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned next_random(unsigned *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 4;
}

static void swap(unsigned *a, unsigned *b) {
    unsigned kept = *a;
    *a = *b;
    *b = kept;
}

static void insertion_sort(unsigned *numbers, long count) {
    for (long i = 1; i < count; i++) {
        unsigned number = numbers[i];
        long at = i;
        for (; at > 0 && numbers[at - 1] > number; at--) numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

static void quicksort(unsigned *numbers, long count) {
    while (count > 16) {
        unsigned pivot = numbers[count / 2];
        long left = 0, right = count - 1;
        while (left <= right) {
            while (numbers[left] < pivot) left++;
            while (numbers[right] > pivot) right--;
            if (left <= right) swap(&numbers[left++], &numbers[right--]);
        }
        quicksort(numbers, right + 1);
        numbers += left;
        count -= left;
    }
    insertion_sort(numbers, count);
}

static void sift_down(unsigned *heap, long root, long count) {
    for (long child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && heap[child + 1] > heap[child]) child++;
        if (heap[root] >= heap[child]) return;
        swap(&heap[root], &heap[child]);
        root = child;
    }
}

static void heap_sort(unsigned *numbers, long count) {
    for (long root = count / 2 - 1; root >= 0; root--) sift_down(numbers, root, count);
    for (long last = count - 1; last > 0; last--) {
        swap(&numbers[0], &numbers[last]);
        sift_down(numbers, 0, last);
    }
}

int main(int argc, char **argv) {
    long count = argc > 1 ? atol(argv[1]) : 2500000;
    size_t size_bytes = (size_t)count * sizeof(unsigned);
    unsigned *quick = malloc(size_bytes), *heap = malloc(size_bytes), state = 42, checksum = 0;
    if (!quick || !heap) return 1;
    for (long i = 0; i < count; i++) quick[i] = next_random(&state);
    memcpy(heap, quick, size_bytes);
    quicksort(quick, count);
    heap_sort(heap, count);
    for (long i = 0; i < count; i++) checksum = checksum * 31 + quick[i];
    printf("sort %ld %u %s\n", count, checksum, memcmp(quick, heap, size_bytes) ? "bad" : "same");
    free(heap);
    free(quick);
    return 0;
}
