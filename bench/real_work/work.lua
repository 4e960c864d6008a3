local n = tonumber(arg[1])
local function counter() local c = 0; return function() c = c + 1; return c end end
local f = counter(); for i = 1, 1000 * n do f() end
print("closure", f())
local t = {}
for i = 1, 500 * n do t[i] = (i * 7919) % 10007 end
table.sort(t); print("sorted", t[1], t[#t], #t)
table.sort(t, function(a, b) return a > b end); print("reversed", t[1], t[#t])
local words = {}
for i = 1, 100 * n do words[#words + 1] = string.format("%05d-%s", i, string.rep("x", i % 7)) end
local s = table.concat(words, ","); print("concat", #s, select(2, s:gsub("x+", "y")))
local count = 0; for w in s:gmatch("%d+") do count = count + tonumber(w) end; print("gmatch", count)
local co = coroutine.wrap(function() for i = 1, 200 * n do coroutine.yield(i) end return -1 end)
local sum = 0; repeat local v = co(); sum = sum + v until v < 0; print("coroutine", sum)
local Point = {}; Point.__index = Point
Point.__add = function(a, b) return setmetatable({x = a.x + b.x}, Point) end
local p = setmetatable({x = 0}, Point)
for i = 1, 200 * n do p = p + setmetatable({x = i}, Point) end; print("metatable", p.x)
print("pcall", pcall(error, {1}) == false, select(2, pcall(function() local x = nil; x() end)))
local function fib(k) if k < 2 then return k end return fib(k - 1) + fib(k - 2) end
print("fib", fib(math.min(n, 22)))
print("pack", #string.pack("i4d", 1, 2.5), string.unpack("i4", string.pack("i4", 77)))
local name = "lua.tmp"; local h = assert(io.open(name, "w")); h:write(s); h:close()
h = io.open(name); print("file", #h:read("a")); h:close(); os.remove(name)
local weak = setmetatable({}, {__mode = "k"}); weak[{}] = 1; collectgarbage(); print("weak", next(weak))
print(math.floor(3.7), 7 // 2, 7 % -3, 2 ^ 0.5, 1e100, string.format("%q", "a\nb"), utf8.char(8364))
print(load("return 1 + 1")(), #debug.traceback() > 0, os.getenv("HOME") ~= nil)
goto done
print("never")
::done:: print("gc", collectgarbage("count") > 0)
