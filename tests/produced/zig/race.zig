// A counter that two threads add to without any order.
const std = @import("std");

var counter: u64 = 0;

fn add() void {
    for (0..50) |_| counter += 1; // EXPECT: data race
}

pub fn main() !void {
    const other = try std.Thread.spawn(.{}, add, .{});
    add();
    other.join();
}
