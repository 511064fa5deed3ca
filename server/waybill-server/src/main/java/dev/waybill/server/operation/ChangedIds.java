package dev.waybill.server.operation;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ids of changed events, as stores write them in the details of the audit. Not safe for use by many threads. */
final class ChangedIds {
    /** "2 events: a, b; without 1 that …" of a table or MongoDB, and "2 events (a, b); asked for: …" of a journal. */
    private static final Pattern CHANGED = Pattern.compile(
            "(?:finally |in the end )?(\\d{1,9}) events(?:: (.*?)(?:; without \\d+ that .*)?| \\(([^)]*).*|; .*)",
            Pattern.DOTALL);
    /** The words of a selection by state and filter. */
    private static final Pattern FILTER = Pattern.compile("all (?:dead|due|waiting)(?:,.*)?", Pattern.DOTALL);

    private static final String BETWEEN = ", ";

    private final Set<String> ids = new HashSet<>();
    /** For ids that contain what is between two. */
    private final StringBuilder lists = new StringBuilder();

    /**
     * Not the counts beside the ids: ids may be numbers, too.
     *
     * @return false if events were changed that are not named
     */
    boolean add(String details) {
        Matcher found = CHANGED.matcher(details);
        if (!found.matches()) {
            return false;
        }
        int count = Integer.parseInt(found.group(1));
        String list = group(found, 2) + group(found, 3);
        List<String> parts = list.isEmpty() ? List.of() : List.of(list.split(BETWEEN));
        if (count > 0 && (parts.size() < count || FILTER.matcher(list).matches())) {
            return false;
        }
        if (count > 0) {
            ids.addAll(parts);
            lists.append(BETWEEN).append(list).append(BETWEEN);
        }
        return true;
    }

    private static String group(Matcher found, int number) {
        return Objects.requireNonNullElse(found.group(number), "");
    }

    boolean have(String id) {
        return ids.contains(id) || (id.contains(BETWEEN) && lists.indexOf(BETWEEN + id + BETWEEN) >= 0);
    }
}
