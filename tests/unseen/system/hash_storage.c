// A small key-value store in a file: records, an index in memory, mmap for reading, compaction.
#include <assert.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct record {
    uint16_t key_size, value_size;  // a value of size 0xffff: the key is gone
};
struct entry {
    char *key;
    off_t at;
    struct entry *next;
};
struct store {
    int fd;
    char path[64];
    struct entry *buckets[16];
    int live;
};

static unsigned hash(const char *key) {
    unsigned h = 5381;
    while (*key) h = h * 33 ^ (unsigned char)*key++;
    return h % 16;
}
static struct entry **find(struct store *s, const char *key) {
    struct entry **at = &s->buckets[hash(key)];
    while (*at && strcmp((*at)->key, key)) at = &(*at)->next;
    return at;
}

static void put(struct store *s, const char *key, const char *value) {
    struct record record = {(uint16_t)strlen(key), value ? (uint16_t)strlen(value) : 0xffff};
    off_t end = lseek(s->fd, 0, SEEK_END);
    assert(write(s->fd, &record, sizeof record) == sizeof record && write(s->fd, key, record.key_size) == record.key_size);
    if (value) assert(write(s->fd, value, record.value_size) == record.value_size);
    struct entry **at = find(s, key);
    if (!value && *at) {
        struct entry *gone = *at;
        *at = gone->next;
        free(gone->key), free(gone);
        s->live--;
    } else if (value && *at) (*at)->at = end;
    else if (value) {
        *at = malloc(sizeof **at);
        **at = (struct entry){strdup(key), end, NULL};
        s->live++;
    }
}

static char *get(struct store *s, const char *key) {
    struct entry *entry = *find(s, key);
    if (!entry) return NULL;
    struct record record;
    assert(pread(s->fd, &record, sizeof record, entry->at) == sizeof record);
    char *value = calloc(1, record.value_size + 1u);
    assert(pread(s->fd, value, record.value_size, entry->at + (off_t)sizeof record + record.key_size) == record.value_size);
    return value;
}

static int count_records(struct store *s) {
    struct stat info;
    assert(fstat(s->fd, &info) == 0);
    const char *all = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, s->fd, 0), *at = all;
    assert(all != MAP_FAILED);
    int records = 0;
    while (at < all + info.st_size) {
        struct record record;
        memcpy(&record, at, sizeof record);
        at += sizeof record + record.key_size + (record.value_size == 0xffff ? 0 : record.value_size);
        records++;
    }
    munmap((void *)(uintptr_t)all, (size_t)info.st_size);
    return records;
}

int main(void) {
    struct store s = {.path = "/tmp/storeXXXXXX"};
    s.fd = mkstemp(s.path);
    char key[16], value[32];
    for (int i = 0; i < 100; i++) {
        snprintf(key, sizeof key, "key%d", i % 30);
        snprintf(value, sizeof value, "value number %d", i);
        put(&s, key, i % 10 == 9 ? NULL : value);
    }
    char *found = get(&s, "key7"), *gone = get(&s, "key29");
    printf("%d live, %d records, %s, %s\n", s.live, count_records(&s), found, gone ? gone : "gone");
    free(found), free(gone);
    long sum = 0;
    for (int b = 0; b < 16; b++)
        for (struct entry *e = s.buckets[b], *next; e; e = next) {
            next = e->next;
            sum += (long)strlen(e->key);
            free(e->key), free(e);
        }
    printf("%ld\n", sum);
    close(s.fd), unlink(s.path);
    return 0;
}
