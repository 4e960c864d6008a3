// strptime, strftime, mktime, gmtime, time zones and difftime.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void show(const char *zone, time_t moment) {
    setenv("TZ", zone, 1);
    tzset();
    struct tm parts;
    char text[64];
    assert(localtime_r(&moment, &parts) == &parts);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %Z %z", &parts);
    printf("%s dst %d\n", text, parts.tm_isdst);
    assert(mktime(&parts) == moment);
}

int main(void) {
    const time_t moments[] = {0, 951782400, 1710000000, 1720000000, 4102444800};
    for (int i = 0; i < 5; i++) {
        struct tm parts;
        gmtime_r(&moments[i], &parts);
        char text[64];
        strftime(text, sizeof text, "%a %d %b %Y %j %U %p %I:%M", &parts);
        printf("%s\n", text);
        assert(timegm(&parts) == moments[i]);
    }
    show("UTC0", 1710000000);
    show("EST5EDT,M3.2.0,M11.1.0", 1710000000);
    show("EST5EDT,M3.2.0,M11.1.0", 1720000000);
    show("XYZ-5:30", 1720000000);

    setenv("TZ", "UTC0", 1), tzset();
    struct tm read;
    memset(&read, 0, sizeof read);
    char *rest = strptime("Thu, 29 Feb 2024 23:59:58 tail", "%a, %d %b %Y %H:%M:%S", &read);
    assert(rest && !strcmp(rest, " tail"));
    printf("%d %d %d %d\n", read.tm_year, read.tm_mon, read.tm_wday, read.tm_yday);
    assert(!strptime("not a date", "%Y-%m-%d", &read));
    read.tm_sec += 2;
    time_t later = mktime(&read);
    printf("%s", ctime(&later));
    printf("%s", asctime(gmtime(&later)));
    struct tm overflow = {.tm_year = 123, .tm_mon = 13, .tm_mday = 0, .tm_hour = 25, .tm_isdst = -1};
    time_t normal = mktime(&overflow);
    printf("%d-%d-%d %d %.0f\n", overflow.tm_year, overflow.tm_mon, overflow.tm_mday, overflow.tm_hour, difftime(normal, later));
    char tiny[4];
    assert(strftime(tiny, sizeof tiny, "%Y", &overflow) == 0);
    struct timespec stamp;
    assert(timespec_get(&stamp, TIME_UTC) == TIME_UTC && stamp.tv_nsec < 1000000000);
    assert(clock() != (clock_t)-1 && tzname[0] && timezone == 0);
    return 0;
}
