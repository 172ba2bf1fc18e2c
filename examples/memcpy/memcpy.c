// Copies: short ones of changing length as a server makes them for its answers, and long ones that stay in the processor's cache.
// Usage: memcpy SHORT CACHED; or, as Barba Roque (2024) measured it: memcpy literal ROUNDS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SHORTEST = 1, LONGEST = 64, CACHED = 32 * 1024 };
static char from[CACHED + LONGEST], to[CACHED + LONGEST];

// Through a pointer that may change, so that the compiler puts nothing of its own in its place.
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static void phase(const char *name, long copies, size_t shortest, size_t longest) {
  printf("::joulediff phase %s\n", name);
  fflush(stdout);
  double start = processor_time(), bytes = 0;
  unsigned state = 1;
  for (long i = 0; i < copies; i++) {
    state = state * 1664525u + 1013904223u;
    size_t length = shortest + (state >> 8) % (longest - shortest + 1);
    copy(to + (state & 7), from + (state >> 3 & 7), length);
    bytes += length;
  }
  double used = processor_time() - start;
  printf("%s: %.3f ns a copy, %.3f GB/s\n", name, used / copies * 1e9, bytes / used / 1e9);
}

// An answer is filled with elements of four bytes, again and again: with one literal (step 0), or with those of an array (step 4).
static void fill(const char *name, long rounds, int elements, size_t step) {
  printf("::joulediff phase %s_%d\n", name, elements);
  fflush(stdout);
  const char *source = step ? from : "VKX,";
  double start = processor_time();
  for (long round = 0; round < rounds; round++)
    for (int i = 0; i < elements; i++) copy(to + i * 4, source + i * step, 4);
  printf("%s %d: %.3f ns a copy\n", name, elements, (processor_time() - start) / rounds / elements * 1e9);
}

int main(int count, char **words) {
  static const int elements[] = {100, 300, 500, 600};
  if (count != 3) return 2;
  if (strcmp(words[1], "literal") == 0) {
    for (int i = 0; i < 4; i++) fill("literal", atol(words[2]), elements[i], 0);
    for (int i = 0; i < 4; i++) fill("array", atol(words[2]), elements[i], 4);
    puts("::joulediff end");
    return 0;
  }
  memset(from, 1, sizeof from);
  phase("short", atol(words[1]), SHORTEST, LONGEST);
  phase("cached", atol(words[2]), CACHED, CACHED);
  puts("::joulediff end");
  return 0;
}
