//@ verdict: holds
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse(char *line, char **key, long *value) {
    char *sign = strchr(line, '='), *end;
    if (sign == NULL)
        return -1;
    *sign = 0;
    *key = line;
    errno = 0;
    *value = strtol(sign + 1, &end, 0);
    return errno == ERANGE || *end || end == sign + 1 ? -2 : 0;
}

int main(void) {
    char good[] = "size=0x10", bad[] = "n=99999999999999999999", words[] = "a, b;c";
    char *key, word[8];
    long value;
    assert(parse(good, &key, &value) == 0 && strcmp(key, "size") == 0 && value == 16);
    assert(parse(bad, &key, &value) == -2);
    int n = 0;
    for (char *at = strtok(words, ", ;"); at != NULL; at = strtok(NULL, ", ;"))
        n += isalpha((unsigned char)*at) != 0;
    assert(n == 3);
    assert(strtod("2.5e1x", &key) == 25.0 && *key == 'x' && atof("0.125") == 0.125);
    int x, y;
    assert(sscanf("10, 0x20 last one", "%d,%i %7s", &x, &y, word) == 3);
    assert(x == 10 && y == 32 && strcmp(word, "last") == 0);
    assert(sscanf("ten", "%d", &x) == 0 && sscanf("", "%d", &x) == -1);
    div_t parts = div(7, 2);
    assert(parts.quot == 3 && parts.rem == 1);
}
