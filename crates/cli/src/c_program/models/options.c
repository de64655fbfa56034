// Options of the command line.

char *strchr(const char *, int);
int strcmp(const char *, const char *);

char *optarg;
int optind = 1, opterr = 1, optopt;

// Those in front of the first argument that is none (POSIX; GNU also finds later ones).
int getopt(int n, char *const arguments[], const char *letters) {
    static int at = 1;
    optarg = 0;
    if (optind >= n || !arguments[optind] || arguments[optind][0] != '-' || !arguments[optind][1])
        return -1;
    if (!strcmp(arguments[optind], "--")) {
        optind++;
        return -1;
    }
    int is_quiet = letters[0] == ':';
    int letter = optopt = (unsigned char)arguments[optind][at++];
    const char *known = letter == ':' ? 0 : strchr(letters, letter);
    int is_last = !arguments[optind][at];
    if (known && known[1] == ':') {
        if (!is_last)
            optarg = &arguments[optind][at];
        else if (optind + 1 < n)
            optarg = arguments[++optind];
        else
            letter = is_quiet ? ':' : '?';
        is_last = 1;
    }
    if (is_last) {
        optind++;
        at = 1;
    }
    return known ? letter : '?';
}
