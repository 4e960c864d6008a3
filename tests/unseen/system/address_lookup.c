// Names and addresses without any network: getaddrinfo on numbers, inet_*, services, interfaces.
#include <arpa/inet.h>
#include <assert.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static void show(const char *host, const char *service, int family) {
    struct addrinfo hints = {.ai_family = family, .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV}, *list;
    int error = getaddrinfo(host, service, &hints, &list);
    if (error) {
        printf("%s: %s\n", host, error == EAI_NONAME ? "no name" : error == EAI_ADDRFAMILY ? "family" : "other error");
        return;
    }
    for (struct addrinfo *at = list; at; at = at->ai_next) {
        char name[NI_MAXHOST], port[NI_MAXSERV];
        assert(getnameinfo(at->ai_addr, at->ai_addrlen, name, sizeof name, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV) == 0);
        printf("%s port %s family %d size %u\n", name, port, at->ai_family == AF_INET ? 4 : 6, at->ai_addrlen);
    }
    freeaddrinfo(list);
}

int main(void) {
    show("127.0.0.1", "80", AF_UNSPEC);
    show("::1", "443", AF_UNSPEC);
    show("fe80::1:2", "1", AF_INET6);
    show("not a number", "80", AF_UNSPEC);
    struct addrinfo passive = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *any;
    assert(getaddrinfo(NULL, "0", &passive, &any) == 0);
    assert(((struct sockaddr_in *)any->ai_addr)->sin_addr.s_addr == INADDR_ANY);
    freeaddrinfo(any);

    struct in_addr four;
    struct in6_addr six;
    char text[INET6_ADDRSTRLEN];
    assert(inet_pton(AF_INET, "192.168.1.254", &four) == 1 && inet_pton(AF_INET, "1.2.3.256", &four) == 0);
    assert(inet_pton(AF_INET6, "2001:db8::ff00:42:8329", &six) == 1);
    printf("%s\n", inet_ntop(AF_INET6, &six, text, sizeof text));
    assert(inet_ntop(AF_INET6, &six, text, 5) == NULL);
    assert(inet_aton("10.0.0.7", &four) && !strcmp(inet_ntoa(four), "10.0.0.7"));
    printf("%u %u %lx\n", htons(0x1234), ntohs(0x1234), (unsigned long)htonl(0x01020304));
    assert(inet_addr("255.255.255.255") == INADDR_NONE && IN6_IS_ADDR_LOOPBACK(&in6addr_loopback));

    struct ifaddrs *interfaces;
    int loopbacks = 0;
    assert(getifaddrs(&interfaces) == 0);
    for (struct ifaddrs *at = interfaces; at; at = at->ifa_next)
        if (at->ifa_addr && at->ifa_addr->sa_family == AF_INET && (at->ifa_flags & IFF_LOOPBACK)) loopbacks++;
    freeifaddrs(interfaces);
    char name[IF_NAMESIZE];
    unsigned index = if_nametoindex("lo");
    assert(index && !strcmp(if_indextoname(index, name), "lo"));
    printf("%d %s\n", loopbacks >= 1, name);
    return strcmp(gai_strerror(EAI_NONAME), "") ? 0 : 1;
}
