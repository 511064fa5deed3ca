package dev.waybill.server.live;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The points of a relay over time, in three resolutions. A coarser point has the mean of what was published and the largest of
 * everything else. Times without a sample have no point. Safe for use by many threads.
 */
public final class Series {
    /** How far back, and how fine. */
    public enum Range {
        MINUTES_15("15m", Duration.ofSeconds(1), 900),
        HOURS_3("3h", Duration.ofSeconds(10), 1_080),
        HOURS_24("24h", Duration.ofMinutes(1), 1_440);

        private final String word;
        private final Duration step;
        private final int points;

        Range(String word, Duration step, int points) {
            this.word = word;
            this.step = step;
            this.points = points;
        }

        public String word() {
            return word;
        }

        public Duration step() {
            return step;
        }
    }

    private final Map<Range, Ring> rings = new EnumMap<>(Range.class);

    Series() {
        for (Range range : Range.values()) {
            rings.put(range, new Ring(range.points, range.step.toMillis()));
        }
    }

    synchronized void add(Point point) {
        rings.values().forEach(ring -> ring.add(point));
    }

    /** Oldest first. */
    synchronized List<Point> points(Range range, long now) {
        Ring ring = rings.get(range);
        return ring == null ? List.of() : ring.since(now - range.step.toMillis() * range.points);
    }

    /** The newest points, one for each step of time. */
    private static final class Ring {
        private static final int FIELDS = 7;

        private final int most;
        private final long step;
        /** Grows with what is known, so that a relay that is never looked at costs little. */
        private double[][] values = new double[0][];

        private int count;
        private int newest = -1;
        /** How many make up the mean of the newest. */
        private int samples;

        Ring(int most, long step) {
            this.most = most;
            this.step = step;
        }

        void add(Point point) {
            if (newest >= 0 && (long) values[newest][0] / step == point.at() / step) {
                merge(values[newest], point);
                return;
            }
            newest = (newest + 1) % most;
            if (newest >= values.length) {
                values = java.util.Arrays.copyOf(values, Math.min(most, Math.max(16, 2 * values.length)));
            }
            values[newest] = new double[] {
                point.at(), point.published(), point.backlog(), point.oldest(), point.p50(), point.p95(), point.p99()
            };
            count = Math.min(most, count + 1);
            samples = Double.isNaN(point.published()) ? 0 : 1;
        }

        private void merge(double[] known, Point point) {
            if (!Double.isNaN(point.published())) {
                known[1] = samples == 0 ? point.published() : known[1] + (point.published() - known[1]) / (samples + 1);
                samples++;
            }
            double[] more = {point.backlog(), point.oldest(), point.p50(), point.p95(), point.p99()};
            for (int i = 2; i < FIELDS; i++) {
                if (Double.isNaN(known[i]) || more[i - 2] > known[i]) {
                    known[i] = more[i - 2];
                }
            }
        }

        List<Point> since(long first) {
            List<Point> points = new ArrayList<>();
            for (int i = count - 1; i >= 0; i--) {
                double[] each = values[Math.floorMod(newest - i, most)];
                if (each[0] >= first) {
                    points.add(new Point((long) each[0], each[1], each[2], each[3], each[4], each[5], each[6]));
                }
            }
            return points;
        }
    }
}
