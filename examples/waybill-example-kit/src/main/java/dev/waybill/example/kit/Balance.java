package dev.waybill.example.kit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** The closing balance: what was expected, and what was found. */
public final class Balance {
    private final List<Row> rows = Collections.synchronizedList(new ArrayList<>());

    /** One line of the table. */
    public record Row(String what, String expected, String found, boolean ok) {}

    Balance() {}

    /** Both numbers must be the same. */
    public Balance equal(String what, long expected, long found) {
        return add(what, number(expected), number(found), expected == found);
    }

    /** Both texts must be the same. */
    public Balance equal(String what, String expected, String found) {
        return add(what, expected, found, expected.equals(found));
    }

    public Balance atLeast(String what, long expected, long found) {
        return add(what, "at least " + number(expected), number(found), found >= expected);
    }

    public Balance atMost(String what, long expected, long found) {
        return add(what, "at most " + number(expected), number(found), found <= expected);
    }

    /** Both must have the same texts, each as often, in any order. */
    public Balance same(String what, Collection<String> expected, Collection<String> found) {
        List<String> missing = without(expected, found);
        List<String> tooMuch = without(found, expected);
        String differences = example("missing", missing) + example("too much", tooMuch);
        return add(
                what,
                number(expected.size()),
                number(found.size()) + differences,
                missing.isEmpty() && tooMuch.isEmpty());
    }

    private static List<String> without(Collection<String> texts, Collection<String> others) {
        Map<String, Integer> left = new HashMap<>();
        others.forEach(other -> left.merge(other, 1, Integer::sum));
        return texts.stream()
                .filter(text -> left.merge(text, -1, Integer::sum) < 0)
                .toList();
    }

    private static String example(String what, List<String> texts) {
        return texts.isEmpty() ? "" : ", " + number(texts.size()) + " " + what + " (" + texts.get(0) + ")";
    }

    private Balance add(String what, String expected, String found, boolean ok) {
        rows.add(new Row(what, expected, found, ok));
        return this;
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    public List<Row> rows() {
        return List.copyOf(rows);
    }

    /** A balance without a row has checked nothing. */
    boolean isGood() {
        List<Row> all = rows();
        return !all.isEmpty() && all.stream().allMatch(Row::ok);
    }

    List<String> lines() {
        List<Row> all = rows();
        int what = width(all.stream().map(Row::what), "what");
        int expected = width(all.stream().map(Row::expected), "expected");
        int found = width(all.stream().map(Row::found), "found");
        String form = "  %-" + what + "s  %" + expected + "s  %" + found + "s  %s";
        List<String> lines = new ArrayList<>();
        lines.add(String.format(Locale.ROOT, form, "what", "expected", "found", "ok"));
        all.forEach(row -> lines.add(
                String.format(Locale.ROOT, form, row.what(), row.expected(), row.found(), row.ok() ? "yes" : "NO")));
        return lines;
    }

    private static int width(Stream<String> texts, String title) {
        return Stream.concat(texts, Stream.of(title))
                .mapToInt(String::length)
                .max()
                .orElse(0);
    }
}
