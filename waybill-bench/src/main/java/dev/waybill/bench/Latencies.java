package dev.waybill.bench;

import java.util.Arrays;

/** Measured times, sorted. */
record Latencies(long[] nanos) {
    Latencies {
        nanos = nanos.clone();
        Arrays.sort(nanos);
    }

    int count() {
        return nanos.length;
    }

    double millis(double quantile) {
        int index = (int) Math.ceil(quantile * nanos.length) - 1;
        return nanos[Math.max(0, index)] / 1e6;
    }
}
