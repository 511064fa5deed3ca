package dev.waybill.bench;

import java.util.Arrays;
import java.util.stream.LongStream;

/** Measured times, sorted. */
record Latencies(long[] nanos) {
    Latencies {
        nanos = nanos.clone();
        Arrays.sort(nanos);
    }

    static final Latencies NONE = new Latencies(new long[0]);

    Latencies and(Latencies others) {
        return new Latencies(LongStream.concat(Arrays.stream(nanos), Arrays.stream(others.nanos))
                .toArray());
    }

    int count() {
        return nanos.length;
    }

    double millis(double quantile) {
        int index = (int) Math.ceil(quantile * nanos.length) - 1;
        return nanos[Math.max(0, index)] / 1e6;
    }
}
