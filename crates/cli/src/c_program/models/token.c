// `strtok`, which keeps its place between calls: for all threads together.

char *strtok_r(char *, const char *, char **);

char *strtok(char *text, const char *between) {
    static char *next;
    return strtok_r(text, between, &next);
}
