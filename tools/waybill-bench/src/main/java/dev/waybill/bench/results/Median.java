package dev.waybill.bench.results;

import java.util.List;
import java.util.stream.IntStream;

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

    /**
     * How much larger the first values are. If both were measured in the same rounds, it is the median of the rounds' ratios, which
     * is steadier than the ratio of the medians if the machine's speed changes.
     */
    public static double ofRatios(List<Double> above, List<Double> below) {
        if (above.size() != below.size()) {
            return of(above) / of(below);
        }
        return of(IntStream.range(0, above.size())
                .mapToObj(round -> above.get(round) / below.get(round))
                .toList());
    }
}
