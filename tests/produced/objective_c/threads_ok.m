// RUN: --sanitize address,thread
// A method that takes @synchronized's lock.
// STDOUT: 40
#include <objc/runtime.h>
#include <pthread.h>
#include <stdio.h>

__attribute__((objc_root_class))
@interface Counter {
    Class isa;
    int count;
}
+ (Counter *)make;
- (void)add;
- (int)count;
@end

@implementation Counter
+ (Counter *)make {
    return class_createInstance(self, 0);
}
- (void)add {
    @synchronized(self) {
        count++;
    }
}
- (int)count {
    return count;
}
@end

static void *work(void *counter) {
    for (int at = 0; at < 20; at++) [(Counter *)counter add];
    return NULL;
}

int main(void) {
    Counter *counter = [Counter make];
    pthread_t thread;
    pthread_create(&thread, NULL, work, counter);
    work(counter);
    pthread_join(thread, NULL);
    printf("%d\n", [counter count]);
    return 0;
}
