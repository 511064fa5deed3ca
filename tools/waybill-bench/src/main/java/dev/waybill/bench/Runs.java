package dev.waybill.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.waybill.bench.results.Median;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The results of one contender, round by round.
 *
 * @param cpu seconds of this process
 */
record Runs(Contender contender, List<Double> rates, List<Double> cpu) {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    Runs(Contender contender) {
        this(contender, new ArrayList<>(), new ArrayList<>());
    }

    /** Runs the contenders alternately, round by round. */
    static List<Runs> inTurns(List<Contender> contenders, int rounds, int events) throws Exception {
        List<Runs> runs = contenders.stream().map(Runs::new).toList();
        for (int round = 0; round <= rounds; round++) {
            for (Runs each : runs) {
                each.measure(round, rounds, events);
            }
        }
        return runs;
    }

    static void print(List<Runs> runs) {
        double best = runs.stream().mapToDouble(Runs::median).max().orElse(1);
        for (Runs each : runs) {
            System.out.printf(
                    Locale.ROOT, "  %-14s %,10.0f/s  %s%n", each.contender().name(), each.median(), "█".repeat((int)
                                    Math.round(40 * each.median() / best)));
        }
    }

    /** Round 0 is a warm-up and does not count. */
    private void measure(int round, int rounds, int events) throws Exception {
        contender.prepare();
        long cpuBefore = SYSTEM.getProcessCpuTime();
        long begun = System.nanoTime();
        contender.drain();
        double rate = events / ((System.nanoTime() - begun) / 1e9);
        double seconds = (SYSTEM.getProcessCpuTime() - cpuBefore) / 1e9;
        contender.putAway();
        Progress.say("%s: %-14s %,10.0f/s", round == 0 ? "warm-up" : round + " of " + rounds, contender.name(), rate);
        if (round > 0) {
            rates.add(rate);
            cpu.add(seconds);
        }
    }

    double median() {
        return Median.of(rates);
    }

    double medianCpu() {
        return Median.of(cpu);
    }
}
