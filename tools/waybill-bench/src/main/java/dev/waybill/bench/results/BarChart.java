package dev.waybill.bench.results;

import java.util.List;

/** Horizontal bars, each of one part or of several. */
final class BarChart {
    private static final int WIDTH = 825;
    private static final int TOP = 44;
    private static final int ROW = 28;
    private static final int LEFT = 240;
    private static final int RIGHT = 150;

    private BarChart() {}

    /**
     * @param parts as many as the chart has names for
     * @param text beside the bar
     */
    record Bar(String label, List<Double> parts, String text) {
        double length() {
            return parts.stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    /** @param parts the names of the parts; a single one needs no legend */
    static String draw(Svg.Heading heading, List<String> parts, List<Bar> bars) {
        return draw(heading, parts, bars, Double.MAX_VALUE);
    }

    /** @param most longer bars are cut there, so that the others can be told apart */
    static String draw(Svg.Heading heading, List<String> parts, List<Bar> bars, double most) {
        boolean legend = parts.size() > 1;
        Svg svg = new Svg(WIDTH, TOP + ROW * bars.size() + (legend ? 30 : 12), heading);
        double longest =
                Math.min(most, bars.stream().mapToDouble(Bar::length).max().orElse(1));
        double scale = (WIDTH - LEFT - RIGHT) / Math.max(longest, Double.MIN_NORMAL);
        int y = TOP;
        for (Bar bar : bars) {
            svg.text(LEFT - 8, y + 17, "end", bar.label());
            boolean cut = bar.length() > longest;
            double share = cut ? longest / bar.length() : 1;
            double x = LEFT;
            for (int i = 0; i < bar.parts().size(); i++) {
                double width = bar.parts().get(i) * scale * share;
                svg.rectangle(x, y + 3, width, ROW - 8, Svg.COLOURS.get(i));
                x += width;
            }
            svg.text(x + 6, y + 17, "start", cut ? bar.text() + " (cut)" : bar.text());
            y += ROW;
        }
        for (int i = 0; legend && i < parts.size(); i++) {
            svg.rectangle(LEFT + i * 120, y + 8, 12, 12, Svg.COLOURS.get(i));
            svg.text(LEFT + i * 120 + 18, y + 19, "start", parts.get(i));
        }
        return svg.end();
    }
}
