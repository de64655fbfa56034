// Classes of characters as the headers of glibc ask for them, for plain C.

enum {
    UPPER = 0x100,
    LOWER = 0x200,
    ALPHA = 0x400,
    DIGIT = 0x800,
    XDIGIT = 0x1000,
    SPACE = 0x2000,
    PRINT = 0x4000,
    GRAPH = 0x8000,
    BLANK = 1,
    CNTRL = 2,
    PUNCT = 4,
    ALNUM = 8,
};

#define BIG (UPPER | ALPHA | PRINT | GRAPH | ALNUM)
#define SMALL (LOWER | ALPHA | PRINT | GRAPH | ALNUM)
#define MARK (PRINT | GRAPH | PUNCT)

// The first 128 are for negative characters.
static const unsigned short classes[384] = {
    [128 + 0 ... 128 + 8] = CNTRL,
    [128 + 9] = CNTRL | SPACE | BLANK,
    [128 + 10 ... 128 + 13] = CNTRL | SPACE,
    [128 + 14 ... 128 + 31] = CNTRL,
    [128 + ' '] = SPACE | PRINT | BLANK,
    [128 + '!' ... 128 + '/'] = MARK,
    [128 + '0' ... 128 + '9'] = DIGIT | XDIGIT | PRINT | GRAPH | ALNUM,
    [128 + ':' ... 128 + '@'] = MARK,
    [128 + 'A' ... 128 + 'F'] = BIG | XDIGIT,
    [128 + 'G' ... 128 + 'Z'] = BIG,
    [128 + '[' ... 128 + '`'] = MARK,
    [128 + 'a' ... 128 + 'f'] = SMALL | XDIGIT,
    [128 + 'g' ... 128 + 'z'] = SMALL,
    [128 + '{' ... 128 + '~'] = MARK,
    [128 + 127] = CNTRL,
};

static const unsigned short *const start = classes + 128;

const unsigned short **__ctype_b_loc(void) { return (const unsigned short **)&start; }
