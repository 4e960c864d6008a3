// Threads that count behind an atomic and are joined.
// STDOUT: 200
const std = @import("std");

extern "c" fn printf(format: [*:0]const u8, ...) c_int;

var taken = std.atomic.Value(bool).init(false);
var counter: u64 = 0;

fn add() void {
    for (0..50) |_| {
        while (taken.swap(true, .acquire)) std.Thread.yield() catch {};
        counter += 1;
        taken.store(false, .release);
    }
}

pub fn main() !void {
    var threads: [4]std.Thread = undefined;
    for (&threads) |*one| one.* = try std.Thread.spawn(.{}, add, .{});
    for (threads) |one| one.join();
    _ = printf("%lu\n", counter);
}
