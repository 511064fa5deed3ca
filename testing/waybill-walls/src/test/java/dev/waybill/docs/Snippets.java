package dev.waybill.docs;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The marked regions of a test: from {@code // snippet: name} to {@code // end}. */
final class Snippets {
    private static final Pattern REGION =
            Pattern.compile("(?m)^ *// snippet: (\\S+)\\n(.*?)^ *// end$", Pattern.DOTALL);

    private Snippets() {}

    static Map<String, String> regions(String source) {
        Map<String, String> regions = new LinkedHashMap<>();
        REGION.matcher(source).results().forEach(region -> {
            String text = region.group(2).stripTrailing().stripIndent() + "\n";
            if (regions.put(region.group(1), text) != null) {
                throw new IllegalStateException("There are two snippets named " + region.group(1) + ".");
            }
        });
        return regions;
    }
}
