// known-library-calls PAIRS [for-ever]: so many pairs of strdup and free and ten of qsort, or pairs without end; then it prints `done`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long pairs = atol(argv[1]);
  for (long i = 0; i < pairs || argc > 2; i++) free(strdup("some text"));
  static int numbers[1000];
  for (int sort = 0; sort < 10; sort++) {
    for (int i = 0; i < 1000; i++) numbers[i] = (i * 7919 + sort) % 1000;
    qsort(numbers, 1000, sizeof *numbers, compare);
  }
  puts("done");
  return 0;
}
