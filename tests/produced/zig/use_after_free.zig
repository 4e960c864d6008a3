// A slice that is used behind its free.
const std = @import("std");

extern "c" fn printf(format: [*:0]const u8, ...) c_int;

fn total(values: []const u32) u32 {
    var sum: u32 = 0;
    for (values) |one| sum += one; // EXPECT: heap-use-after-free
    return sum;
}

pub fn main() !void {
    const values = try std.heap.c_allocator.alloc(u32, 8);
    @memset(values, 3);
    std.heap.c_allocator.free(values);
    _ = printf("%u\n", total(values));
}
