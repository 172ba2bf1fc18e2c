#!/bin/sh
# Writes $CLASSES classes that use each other, the same each time, into a new folder.
set -eu
rm -rf /tmp/joulediff-javac
mkdir -p /tmp/joulediff-javac/out
cd /tmp/joulediff-javac
awk -v classes="$CLASSES" 'BEGIN {
  for (i = 0; i < classes; i++) {
    file = "C" i ".java"
    print "import java.util.*;\nimport java.util.function.*;\nimport java.util.stream.*;" > file
    print "public class C" i " implements Comparable<C" i "> {\n  final Map<String, List<Integer>> seen = new TreeMap<>();" > file
    print "  public int compareTo(C" i " other) { return Integer.compare(seen.size(), other.seen.size()); }" > file
    for (j = 0; j < 20; j++) {
      print "  public <T extends Comparable<T>> List<T> sorted" j "(Collection<? extends T> all, Function<T, Integer> rank) {" > file
      print "    return all.stream().map(x -> (T) x).filter(x -> rank.apply(x) > " j ").sorted().collect(Collectors.toList());\n  }" > file
      print "  public Object other" j "() { return new C" ((i * 7 + j) % classes) "().seen.getOrDefault(\"" j "\", List.of(" j ")); }" > file
    }
    print "}" > file
    close(file)
    print file > "files"
  }
}'
