package dev.waybill.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Prometheus' text format 0.0.4, read strictly: each line is a HELP, a TYPE or a sample; the samples of a family follow its TYPE
 * without a gap; no sample occurs twice; the buckets of a histogram rise and end with the count.
 */
public final class Exposition {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final Pattern HELP = Pattern.compile("# HELP (" + NAME + ") (?:[^\\\\\n]|\\\\\\\\|\\\\n)*");
    private static final Pattern TYPE =
            Pattern.compile("# TYPE (" + NAME + ") (counter|gauge|histogram|summary|untyped)");
    private static final Pattern SAMPLE =
            Pattern.compile("(" + NAME + ")(?:\\{(.*)\\})? (NaN|[+-]Inf|[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)");
    private static final Pattern LABEL = Pattern.compile("\\G(" + NAME + ")=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");

    private final Map<String, String> types = new TreeMap<>();
    private final List<Sample> samples = new ArrayList<>();

    /** One line with a value. */
    public record Sample(String family, String name, Map<String, String> labels, double value) {}

    private Exposition() {}

    /** @throws AssertionError with the line that is wrong */
    public static Exposition parse(String text) {
        if (text.isEmpty()) {
            return new Exposition();
        }
        if (!text.endsWith("\n")) {
            throw new AssertionError("The last line has no end.");
        }
        Exposition exposition = new Exposition();
        Set<String> seen = new HashSet<>();
        String family = "";
        for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
            Matcher type = TYPE.matcher(line);
            if (type.matches()) {
                family = type.group(1);
                if (exposition.types.put(family, type.group(2)) != null) {
                    throw new AssertionError("A second TYPE of a family: " + line);
                }
            } else if (!HELP.matcher(line).matches()) {
                exposition.add(sample(family, exposition.types.getOrDefault(family, ""), line), line, seen);
            }
        }
        exposition.checkHistograms();
        return exposition;
    }

    private void add(Sample sample, String line, Set<String> seen) {
        if (!seen.add(sample.name + new TreeMap<>(sample.labels))) {
            throw new AssertionError("A sample occurs twice: " + line);
        }
        samples.add(sample);
    }

    private static Sample sample(String family, String type, String line) {
        Matcher match = SAMPLE.matcher(line);
        if (!match.matches()) {
            throw new AssertionError("Neither HELP, TYPE nor a sample: " + line);
        }
        String name = match.group(1);
        String suffix = name.startsWith(family) ? name.substring(family.length()) : "another family";
        boolean belongs = switch (type) {
            case "histogram" -> Set.of("_bucket", "_count", "_sum").contains(suffix);
            case "summary" -> Set.of("", "_count", "_sum").contains(suffix);
            default -> suffix.isEmpty();
        };
        if (!belongs) {
            throw new AssertionError("Not of the family " + family + " above it: " + line);
        }
        return new Sample(family, name, labels(match.group(2), line), number(match.group(3)));
    }

    private static Map<String, String> labels(@Nullable String text, String line) {
        Map<String, String> labels = new LinkedHashMap<>();
        if (text == null) {
            return labels;
        }
        Matcher match = LABEL.matcher(text);
        int end = 0;
        while (match.find()) {
            end = match.end();
            if (labels.put(match.group(1), match.group(2)) != null) {
                throw new AssertionError("A label occurs twice: " + line);
            }
        }
        if (end != text.length() || text.endsWith(",")) {
            throw new AssertionError("These labels are not well-formed: " + line);
        }
        return labels;
    }

    private static double number(String text) {
        return text.endsWith("Inf") ? Double.parseDouble(text.replace("Inf", "Infinity")) : Double.parseDouble(text);
    }

    private void checkHistograms() {
        Map<String, Double> last = new HashMap<>();
        for (Sample sample : samples) {
            if (!"histogram".equals(types.get(sample.family)) || sample.name.endsWith("_sum")) {
                continue;
            }
            Map<String, String> rest = new TreeMap<>(sample.labels);
            String bound = rest.remove("le");
            String series = sample.family + rest;
            double before = last.getOrDefault(series, 0.0);
            boolean wrong = bound == null ? sample.value != before : sample.value < before;
            if (wrong) {
                throw new AssertionError("The buckets of " + series + " do not rise to their count: " + sample);
            }
            last.put(series, sample.value);
        }
    }

    /** Names of families, with their types. */
    public Map<String, String> types() {
        return types;
    }

    /** Names of samples. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        samples.forEach(sample -> names.add(sample.name));
        return names;
    }

    public List<Sample> samples() {
        return samples;
    }

    /** @param labels name and value in turn; others may be there too */
    public double value(String name, String... labels) {
        List<Double> found = samples.stream()
                .filter(sample -> sample.name.equals(name))
                .filter(sample -> {
                    for (int i = 0; i < labels.length; i += 2) {
                        if (!labels[i + 1].equals(sample.labels.get(labels[i]))) {
                            return false;
                        }
                    }
                    return true;
                })
                .map(Sample::value)
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(
                    found.size() + " samples of " + name + " with " + List.of(labels) + " in " + samples);
        }
        return found.get(0);
    }
}
