// A library tells what it does to its objects: two threads change one; its header names it.
#include <pthread.h>
#include <stdio.h>
void *__tsan_external_register_tag(const char *object_type);
void __tsan_external_register_header(void *tag, const char *header);
void __tsan_external_write(void *object, void *caller, void *tag);
static void *tag;
static long object;

static void *worker(void *unused) {
    __tsan_external_write(&object, NULL, tag); // PREVIOUS: write 8
    return unused;
}

int main(void) {
    pthread_t thread;
    tag = __tsan_external_register_tag("Document");
    pthread_create(&thread, NULL, worker, NULL);
    __tsan_external_write(&object, NULL, tag); // EXPECT: race on Document write 8
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
