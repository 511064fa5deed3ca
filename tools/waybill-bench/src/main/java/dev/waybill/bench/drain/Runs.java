package dev.waybill.bench.drain;

import com.sun.management.OperatingSystemMXBean;
import dev.waybill.bench.pipes.Contender;
import dev.waybill.bench.results.Median;
import dev.waybill.bench.servers.Progress;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
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

    /** Runs the contenders round by round, every second round in reverse order: none is always the one that comes after another. */
    static List<Runs> inTurns(List<Contender> contenders, int rounds, int events) throws Exception {
        List<Runs> runs = contenders.stream().map(Runs::new).toList();
        List<Runs> reversed = new ArrayList<>(runs);
        Collections.reverse(reversed);
        for (int round = 0; round <= rounds; round++) {
            for (Runs each : round % 2 == 0 ? runs : reversed) {
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

    /** The median of the ratios of each round, which is steadier than the ratio of the medians if the machine's speed changes. */
    double ratioTo(Runs other) {
        return medianRatio(rates, other.rates);
    }

    double cpuRatioTo(Runs other) {
        return medianRatio(cpu, other.cpu);
    }

    private static double medianRatio(List<Double> ours, List<Double> theirs) {
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < ours.size(); round++) {
            ratios.add(ours.get(round) / theirs.get(round));
        }
        return Median.of(ratios);
    }

    double median() {
        return Median.of(rates);
    }
}
