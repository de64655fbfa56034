//@ verdict: holds
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char text[16] = "ab";
    strcat(text, "cd");
    assert(strlen(text) == 4 && strcmp(text, "abcd") == 0 && strcmp("a", "b") < 0);
    assert(strchr(text, 'c') == text + 2 && strchr(text, 'x') == NULL);
    assert(strstr(text, "bc") == text + 1);
    assert(strncmp("abX", "abY", 2) == 0);
    char *copy = strdup(text);
    copy[0] = 'z';
    assert(text[0] == 'a' && atoi("-17") == -17);
    memset(text, 0, sizeof text);
    assert(strlen(text) == 0);
    free(copy);
}
