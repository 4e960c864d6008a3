/* The functions by which a virtual machine tells of its heap. */
#ifndef MANAGED_HEAP_H
#define MANAGED_HEAP_H
typedef unsigned long Place;
void __tsan_java_init(Place heap, Place n_bytes);
int __tsan_java_fini(void);
void __tsan_java_alloc(Place object, Place n_bytes);
void __tsan_java_free(Place object, Place n_bytes);
void __tsan_java_move(Place from, Place to, Place n_bytes);
Place __tsan_java_find(Place *from, Place to);
void __tsan_java_finalize(void);
void __tsan_java_mutex_lock(Place object);
void __tsan_java_mutex_unlock(Place object);
void __tsan_java_mutex_read_lock(Place object);
void __tsan_java_mutex_read_unlock(Place object);
void __tsan_java_mutex_lock_rec(Place object, int n_levels);
int __tsan_java_mutex_unlock_rec(Place object);
void __tsan_java_acquire(Place object);
void __tsan_java_release(Place object);
void __tsan_java_release_store(Place object);
#define HEAP_BYTES 65536
static _Alignas(16) char heap[HEAP_BYTES];
#endif
