// RUN: --sanitize address,thread
// A class, a class method, a block. (gcc's library leaks two blocks of its own, natively too.)
// STDOUT: 12
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
    int (^twice)(int) = ^(int value) {
      return 2 * value;
    };
    for (int at = 0; at < 4; at++) [counter add:at];
    printf("%d\n", twice([counter count]));
    object_dispose(counter);
    return 0;
}
