// Java sources, kept small: everything that can be decided outside of the JVM is.
#include "runners/jcstress/helpers.h"

#include <array>

namespace thinair::runners::jcstress {
namespace {

constexpr std::string_view driver = R"(package thinair;

import java.io.*;
import java.nio.file.*;
import java.util.*;
import org.openjdk.jcstress.infra.runners.*;
import org.openjdk.jcstress.util.Counter;

/** Driver RUNNERS OUT GRACE: RUNNERS has "index runner ms spin stride_size strides" lines. */
public final class Driver {
  static PrintStream out;
  static volatile long deadline = Long.MAX_VALUE;
  static volatile int current;

  public static void main(String[] args) throws Exception {
    out = new PrintStream(new FileOutputStream(args[1], true), false, "UTF-8");
    int grace = Integer.parseInt(args[2]);
    Thread watchdog = new Thread(Driver::watch);
    watchdog.setDaemon(true);
    watchdog.start();
    for (String line : Files.readAllLines(Paths.get(args[0]))) {
      String[] words = line.split(" ");
      current = Integer.parseInt(words[0]);
      int time = Integer.parseInt(words[2]), spin = Integer.parseInt(words[3]);
      int size = Integer.parseInt(words[4]), strides = Integer.parseInt(words[5]);
      say("begin " + current);
      long start = System.nanoTime();
      deadline = start + (time + grace) * 1000000L;
      String end = "error";
      try {
        end = test(words[1], time, spin, size, strides);
      } catch (OutOfMemoryError e) {
        end = "oom";
      } catch (Throwable e) {
        end = "error " + e;
      }
      deadline = Long.MAX_VALUE;
      say("seconds " + current + " " + (System.nanoTime() - start) / 1e9);
      say("end " + current + " " + end.replace('\n', ' '));
      // its other actors may wait for it for ever
      if (!end.equals("ok")) Runtime.getRuntime().halt(9);
    }
  }

  static void say(String line) {
    out.print(line + "\n");
    out.flush();
  }

  static void watch() {
    try {
      for (;;) {
        Thread.sleep(100);
        if (System.nanoTime() - deadline < 0) continue;
        say("end " + current + " hang");
        Runtime.getRuntime().halt(9);
      }
    } catch (InterruptedException e) {
      return;
    }
  }

  /** Of jcstress 0.16, whose only public constructor reads a stream. */
  static ForkedTestConfig config(int spin, int time, String runner, int size, int strides)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream to = new DataOutputStream(bytes);
    to.writeInt(spin);
    to.writeInt(time);
    to.writeInt(1);
    to.writeUTF(runner);
    to.writeInt(100);
    to.writeInt(size);
    to.writeInt(strides);
    to.writeBoolean(false);
    return new ForkedTestConfig(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
  }

  /** Actors that spin need a processor each. Where one pass over all states takes longer than SLOW
   * ms, they get time slices in turn and never meet: in the second third of the time they sleep,
   * and whoever slept is woken at once. */
  static String test(String name, int time, int spin, int size, int strides) throws Exception {
    Counter<Object> all = new Counter<>();
    int slices = time >= 100 ? 3 : 1;
    boolean slow = false;
    for (int slice = 0; slice < slices; slice++) {
      int slice_spin = slow && slice == 1 ? SLEEPS : spin;
      String end = run(name, config(slice_spin, time / slices, name, size, strides), all);
      if (!end.equals("ok")) return end;
      if (slice == 0) slow = samples(all) * SLOW < (long) size * strides * (time / slices);
    }
    for (Object outcome : all.elementSet())
      say("outcome " + current + " " + all.count(outcome) + " " + outcome);
    return "ok";
  }

  static final int SLEEPS = 3; // jcstress's SpinLoopStyle LOCKSUPPORT_PARK_NANOS
  static final int SLOW = 10;

  static long samples(Counter<Object> outcomes) {
    long sum = 0;
    for (Object outcome : outcomes.elementSet()) sum += outcomes.count(outcome);
    return sum;
  }

  @SuppressWarnings("unchecked")
  static String run(String name, ForkedTestConfig config, Counter<Object> all) throws Exception {
    Runner<Object> runner = (Runner<Object>) Class.forName(name)
        .getConstructor(ForkedTestConfig.class).newInstance(config);
    List<CounterThread<Object>> left = new ArrayList<>(runner.internalRun());
    while (!left.isEmpty()) {
      for (Iterator<CounterThread<Object>> i = left.iterator(); i.hasNext();) {
        CounterThread<Object> thread = i.next();
        thread.join(left.size() > 1 ? 5 : 100);
        if (thread.throwable() instanceof OutOfMemoryError) return "oom";
        if (thread.throwable() != null) return "error " + thread.throwable();
        if (thread.result() == null) continue;
        all.merge(thread.result());
        i.remove();
      }
    }
    return "ok";
  }
}
)";

constexpr std::string_view reader = R"(package thinair;

import java.util.*;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.*;

/** Reader FILE: the results of jcstress's command line, a test after the other. */
public final class Reader {
  public static void main(String[] args) throws Exception {
    DiskReadCollector results = new DiskReadCollector(args[0], Reader::show);
    results.dump();
    results.close();
  }

  static void show(TestResult result) {
    String name = result.getName();
    System.out.println("begin " + name);
    for (String outcome : result.getStateKeys())
      System.out.println("outcome " + name + " " + result.getCount(outcome) + " " + outcome);
    String message = "";
    for (String line : result.getMessages()) message += " " + line.replace('\n', ' ');
    System.out.println("end " + name + " " + word(result.status()) + message);
  }

  static String word(Status status) {
    switch (status) {
      case NORMAL: return "ok";
      case TIMEOUT_ERROR: return "hang";
      case VM_ERROR: return "crash";
      default: return "error " + status;
    }
  }
}
)";

constexpr std::string_view four_processors = R"(package org.openjdk.jcstress.os.topology;

/** Stands in for the machine's own: four processors of one core each. */
public class LinuxSysfsTopology extends PresetRegularTopology {
  public LinuxSysfsTopology() throws TopologyParseException {
    super(1, 4, 1);
  }

  @Override
  public boolean trustworthy() {
    return false;
  }
}
)";

constexpr auto helper_table = std::to_array<Helper>({
    {"thinair/Driver.java", driver},
    {"thinair/Reader.java", reader},
});

} // namespace

std::span<const Helper> helpers() { return helper_table; }

Helper topology() {
  return {"org/openjdk/jcstress/os/topology/LinuxSysfsTopology.java", four_processors};
}

} // namespace thinair::runners::jcstress
