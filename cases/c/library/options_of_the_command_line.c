//@ verdict: holds
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char *arguments[] = {"it", "-ab", "3", "-c", "rest", NULL};
    int letter, seen = 0;
    while ((letter = getopt(5, arguments, "ab:c")) != -1) {
        seen = seen * 10 + letter - 'a' + 1;
        if (letter == 'b') assert(!strcmp(optarg, "3"));
    }
    assert(seen == 123 && optind == 4);
}
