//@ verdict: violated "written"
int main(void) {
    char *text = "text";
    text[0] = 'T';
}
