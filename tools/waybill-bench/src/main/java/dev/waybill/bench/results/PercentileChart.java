package dev.waybill.bench.results;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Curves of times by percentile. Both axes are logarithmic: to the right, each step has a tenth of the events left above it. */
final class PercentileChart {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 420;
    private static final int TOP = 48;
    private static final int BOTTOM = 40;
    private static final int LEFT = 70;
    private static final int RIGHT = 250;

    /** Where the axis ends: what is beyond is one event in ten thousand. */
    private static final double LAST = 0.9999;

    private static final Map<Double, String> TICKS =
            new TreeMap<>(Map.of(0.0, "min", 0.5, "p50", 0.9, "p90", 0.99, "p99", 0.999, "p99.9", LAST, "max"));

    private final double lowest;
    private final double highest;

    /**
     * A line of the chart.
     *
     * @param colour the index of its colour
     * @param millis by quantile
     */
    record Curve(String label, int colour, Map<Double, Double> millis) {}

    private PercentileChart(List<Curve> curves) {
        List<Double> all = curves.stream()
                .flatMap(curve -> curve.millis().values().stream())
                .toList();
        this.lowest = powerOfTen(Math.floor(Math.log10(Math.max(
                0.1, all.stream().mapToDouble(Double::doubleValue).min().orElse(1)))));
        this.highest = Math.max(
                10 * lowest,
                powerOfTen(Math.ceil(Math.log10(
                        all.stream().mapToDouble(Double::doubleValue).max().orElse(10)))));
    }

    private static double powerOfTen(double exponent) {
        return Math.pow(10, exponent);
    }

    static String draw(Svg.Heading heading, List<Curve> curves) {
        Svg svg = new Svg(WIDTH, HEIGHT, heading);
        PercentileChart chart = new PercentileChart(curves);
        chart.grid(svg);
        for (int i = 0; i < curves.size(); i++) {
            Curve curve = curves.get(i);
            String colour = Svg.COLOURS.get(curve.colour() % Svg.COLOURS.size());
            svg.curve(
                    new TreeMap<>(curve.millis())
                            .entrySet().stream()
                                    .map(point -> String.format(
                                            Locale.ROOT, "%.1f,%.1f", x(point.getKey()), chart.y(point.getValue())))
                                    .collect(Collectors.joining(" ")),
                    colour);
            svg.rectangle(WIDTH - RIGHT + 14, TOP + 20.0 * i, 12, 12, colour);
            svg.text(WIDTH - RIGHT + 32, TOP + 20.0 * i + 11, "start", curve.label());
        }
        return svg.end();
    }

    private void grid(Svg svg) {
        TICKS.forEach((quantile, label) -> {
            svg.gridLine(x(quantile), TOP, x(quantile), HEIGHT - BOTTOM);
            svg.text(x(quantile), HEIGHT - BOTTOM + 18, "middle", label);
        });
        for (double millis = lowest; millis <= highest * 1.01; millis *= 10) {
            svg.gridLine(LEFT, y(millis), WIDTH - RIGHT, y(millis));
            svg.text(
                    LEFT - 8,
                    y(millis) + 4,
                    "end",
                    String.format(Locale.ROOT, millis < 1 ? "%.1f ms" : "%,.0f ms", millis));
        }
    }

    private static double x(double quantile) {
        double part = Math.log10(1 - Math.min(quantile, LAST)) / Math.log10(1 - LAST);
        return LEFT + part * (WIDTH - LEFT - RIGHT);
    }

    private double y(double millis) {
        double part = Math.log10(Math.max(millis, lowest) / lowest) / Math.log10(highest / lowest);
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
    }
}
