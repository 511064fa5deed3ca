package dev.waybill.server.live;

import java.util.OptionalDouble;

/**
 * The numbers of a relay at one time. A number that is not known is {@link Double#NaN}.
 *
 * @param at in milliseconds since 1970
 * @param published per second
 * @param oldest age in seconds of the oldest event that is not published
 */
public record Point(long at, double published, double backlog, double oldest, double p50, double p95, double p99) {
    public static OptionalDouble known(double number) {
        return Double.isNaN(number) ? OptionalDouble.empty() : OptionalDouble.of(number);
    }
}
