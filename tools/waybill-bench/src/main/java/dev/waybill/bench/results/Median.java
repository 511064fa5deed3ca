package dev.waybill.bench.results;

import java.util.List;

/** The middle of measured values. */
public final class Median {
    private Median() {}

    /** @throws IllegalArgumentException if there is no value */
    public static double of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("There is no median of no values.");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
