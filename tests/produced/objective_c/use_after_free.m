// RUN: --sanitize address,thread
// An object that is used behind its end.
#include <objc/runtime.h>
#include <stdio.h>

__attribute__((objc_root_class))
@interface Counter {
    Class isa;
    int count;
}
+ (Counter *)make;
- (void)add:(int)n;
- (int)count;
@end

@implementation Counter
+ (Counter *)make {
    return class_createInstance(self, 0);
}
- (void)add:(int)n {
    count += n;
}
- (int)count {
    return count;
}
@end

int main(void) {
    Counter *counter = [Counter make];
    for (int at = 0; at < 4; at++) [counter add:at];
    object_dispose(counter);
    printf("%d\n", [counter count]); // EXPECT: heap-use-after-free
    return 0;
}
