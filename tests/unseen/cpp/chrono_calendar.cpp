// Durations, clocks and the calendar.
#include <cassert>
#include <chrono>
#include <iostream>
#include <ratio>
#include <thread>
#include <vector>
using namespace std::chrono;
using namespace std::chrono_literals;

static int days_in_month(year y, month m) { return int(unsigned((y / m / last).day())); }

int main() {
    auto span = 1h + 23min + 45s + 678ms;
    hh_mm_ss parts(span);
    std::cout << parts.hours().count() << ':' << parts.minutes().count() << ':' << parts.seconds().count() << '.' << parts.subseconds().count() << '\n';
    std::cout << duration_cast<minutes>(span).count() << ' ' << ceil<minutes>(span).count() << ' ' << round<hours>(span).count() << '\n';
    static_assert(1min == 60s && 1500ms > 1s && 24h == days(1));
    duration<double, std::ratio<1, 25>> frames = 2s;
    std::cout << frames.count() << ' ' << duration<double>(span).count() << ' ' << (span % 60s).count() << '\n';

    sys_days leap = 2024y / February / 29;
    year_month_day next = leap + days(366);
    std::cout << int(next.year()) << ' ' << unsigned(next.month()) << ' ' << unsigned(next.day()) << '\n';
    std::cout << weekday(leap).c_encoding() << ' ' << (year(1900).is_leap() ? 1 : 0) << (year(2000).is_leap() ? 1 : 0) << '\n';
    int total = 0;
    for (unsigned m = 1; m <= 12; m++) total += days_in_month(2023y, month(m));
    assert(total == 365 && days_in_month(2024y, February) == 29);
    year_month_day bad = 2023y / February / 30;
    std::cout << bad.ok() << ' ' << (sys_days(bad) - sys_days(2023y / March / 1)).count() << '\n';
    sys_days thanksgiving = 2023y / November / Thursday[4];
    std::cout << unsigned(year_month_day(thanksgiving).day()) << '\n';
    auto ymd = year_month_day(2024y / January / 31) + months(1);
    std::cout << ymd.ok() << unsigned((ymd.year() / ymd.month() / last).day()) << '\n';

    auto moment = sys_days(1970y / January / 2) + 3h;
    std::cout << moment.time_since_epoch().count() << ' ' << system_clock::to_time_t(moment) << '\n';
    auto before = steady_clock::now();
    std::this_thread::sleep_for(20ms);
    std::this_thread::sleep_until(before + 30ms);
    auto gone = steady_clock::now() - before;
    std::cout << (gone >= 30ms) << (gone < 20s) << '\n';
    auto today = floor<days>(system_clock::now());
    std::cout << (year_month_day(today).year() >= 1970y) << '\n';
    std::vector<milliseconds> waits{250ms, 1s, 40ms};
    milliseconds sum{};
    for (auto wait : waits) sum += wait;
    std::cout << sum.count() << ' ' << abs(-5s).count() << '\n';
}
