// A heavier C++ module: standard containers and algorithms.
#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

std::mutex lock;
std::atomic<int> hits{0};
std::map<int, std::vector<double>> buckets;

void worker(std::shared_ptr<std::vector<int>> work, int from, int to) {
  std::function<int(int)> score = [=](int x) { return x * from + to; };
  std::sort(work->begin() + from, work->begin() + to, [&](int a, int b) { return score(a) < score(b); });
  std::lock_guard<std::mutex> hold(lock);
  for (int i = from; i < to; ++i) buckets[(*work)[i] % 7].push_back(i / 3.0);
  hits.fetch_add(1, std::memory_order_relaxed);
}

int run(int n) {
  auto work = std::make_shared<std::vector<int>>(n);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back(worker, work, t * n / 4, (t + 1) * n / 4);
  for (auto &t : threads) t.join();
  return hits.load() + (int)buckets.size();
}
