// Two threads read one object of a library, and change objects of their own.
// STDOUT: done
#include <pthread.h>
#include <stdio.h>
void *__tsan_external_register_tag(const char *object_type);
void __tsan_external_register_header(void *tag, const char *header);
void __tsan_external_read(void *object, void *caller, void *tag);
void __tsan_external_write(void *object, void *caller, void *tag);
static void *tag;
static long shared, objects[2];

static void *worker(void *object) {
    __tsan_external_read(&shared, NULL, tag);
    __tsan_external_write(object, NULL, tag);
    return NULL;
}

int main(void) {
    pthread_t thread;
    tag = __tsan_external_register_tag("Document");
    __tsan_external_register_header(tag, "documents collide");
    pthread_create(&thread, NULL, worker, &objects[0]);
    worker(&objects[1]);
    pthread_join(thread, NULL);
    puts("done");
    return 0;
}
