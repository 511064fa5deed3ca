package dev.waybill.bench.results;

import java.util.List;
import java.util.Locale;

/** An SVG document that is written from top to bottom. It has its own background, so that it reads on dark pages too. */
final class Svg {
    /** Distinguishable with the usual colour deficiencies (Okabe and Ito). */
    static final List<String> COLOURS =
            List.of("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#8c6d00", "#555555", "#000000");

    private static final int CAPTION = 24;

    private final StringBuilder elements = new StringBuilder();

    /**
     * What a chart says about itself.
     *
     * @param caption where its figures come from
     */
    record Heading(String title, String caption) {}

    /** @param height without the caption, which is below everything else */
    Svg(int width, int height, Heading heading) {
        String title = heading.title();
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
                        + " font-family=\"sans-serif\" font-size=\"13\" fill=\"#222222\">",
                width, height + CAPTION, width, height + CAPTION);
        add("<title>%s</title>", escaped(title));
        add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, height + CAPTION);
        add("<text x=\"16\" y=\"26\" font-size=\"16\" font-weight=\"bold\">%s</text>", escaped(title));
        add(
                "<text x=\"16\" y=\"%d\" font-size=\"10\" fill=\"#666666\">%s</text>",
                height + 12, escaped(heading.caption()));
    }

    private void add(String format, Object... values) {
        elements.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    void rectangle(double x, double y, double width, double height, String colour) {
        add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>", x, y, width, height, colour);
    }

    /** @param anchor start, middle or end */
    void text(double x, double y, String anchor, String text) {
        add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escaped(text));
    }

    void gridLine(double x1, double y1, double x2, double y2) {
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#dddddd\" stroke-width=\"1\"/>",
                x1, y1, x2, y2);
    }

    /** @param points x and y of each, as SVG has them */
    void curve(String points, String colour) {
        add("<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>", points, colour);
    }

    String end() {
        return elements + "</svg>\n";
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
