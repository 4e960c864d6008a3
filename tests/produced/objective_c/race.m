// RUN: --sanitize address,thread
// An instance variable that two threads add to, by a method.
#include <objc/runtime.h>
#include <pthread.h>

__attribute__((objc_root_class))
@interface Counter {
    Class isa;
    int count;
}
+ (Counter *)make;
- (void)add;
@end

@implementation Counter
+ (Counter *)make {
    return class_createInstance(self, 0);
}
- (void)add {
    count++; // EXPECT: data race
}
@end

static void *work(void *counter) {
    for (int at = 0; at < 10; at++) [(Counter *)counter add];
    return NULL;
}

int main(void) {
    Counter *counter = [Counter make];
    pthread_t thread;
    pthread_create(&thread, NULL, work, counter);
    work(counter);
    pthread_join(thread, NULL);
    object_dispose(counter);
    return 0;
}
