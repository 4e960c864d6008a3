// STDOUT: hello 42
const std = @import("std");

extern "c" fn printf(format: [*:0]const u8, ...) c_int;

pub fn main() !void {
    const allocator = std.heap.c_allocator;
    var list: std.ArrayList(u32) = .empty;
    defer list.deinit(allocator);
    for (0..4) |at| try list.append(allocator, @intCast(at * 7));
    var sum: u32 = 0;
    for (list.items) |one| sum += one;
    _ = printf("hello %u\n", sum);
}
