package dev.waybill.example.polyshop.driver;

import dev.waybill.example.kit.Child;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What the processes logged, also those that were killed. */
final class Logs {
    private static final String ID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    /** What the services log about their events, and what Waybill does. */
    private static final Pattern ABOUT_AN_EVENT = Pattern.compile("eventId=" + ID + "| event " + ID
            + "|(handled|duplicate|appending|appended) [a-z]+\\.[a-z]+\\.[a-z-]+\\.v1");

    private static final Pattern WITH_ID = Pattern.compile("eventId=" + ID);
    private static final Pattern WITH_TRACE = Pattern.compile("traceId=[0-9a-f]{32}");

    private final Map<String, List<String>> lines = new HashMap<>();

    Logs(List<Child> processes) {
        processes.forEach(process -> lines.put(process.name(), process.lines()));
    }

    /** Events that a service skipped because it had handled them. */
    long duplicates(String service) {
        return lines.getOrDefault(service, List.of()).stream()
                .filter(line -> line.contains(" duplicate "))
                .count();
    }

    /** Lines about an event without its id or its trace id. */
    long incomplete() {
        return lines.values().stream()
                .flatMap(List::stream)
                .filter(line -> ABOUT_AN_EVENT.matcher(line).find())
                .filter(line -> !WITH_ID.matcher(line).find()
                        || !WITH_TRACE.matcher(line).find())
                .count();
    }

    /** How many processes logged about this trace. */
    long with(String traceId) {
        return lines.values().stream()
                .filter(log -> log.stream().anyMatch(line -> line.contains(traceId)))
                .count();
    }
}
