package sample;

import java.io.FileWriter;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Each call leaves a mark in the file `calls`. */
public class Calls {
  static void mark(String text) throws IOException {
    try (FileWriter calls = new FileWriter("calls", true)) {
      calls.write(text);
    }
  }

  @Benchmark
  public void one() throws IOException {
    mark("x");
  }

  @Benchmark
  public void broken() {
    throw new IllegalStateException("no");
  }

  @State(Scope.Benchmark)
  public static class Sized {
    @Param({"1", "8"})
    public int size;

    @Param({"a", "b c"})
    public String kind;

    @Benchmark
    public void many() throws IOException {
      mark(kind.charAt(0) + "" + size + " ");
    }
  }
}
