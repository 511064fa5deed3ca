package dev.waybill.bench.systems;

import java.util.List;

/**
 * A system that can be measured.
 *
 * @param name in tables and charts
 * @param version of what is measured
 * @param command starts its process, without the arguments that every system gets
 * @param identified whether each of its messages has an id of its own, which is in the header {@code event-id}
 * @param share of the run's events that it drains, so that a slow system does not take hours
 */
public record SystemSpec(String name, String version, List<String> command, boolean identified, double share) {
    /** So that a short run measures more than the start of a slow system. */
    private static final int FEWEST = 1_000;

    public SystemSpec {
        command = List.copyOf(command);
    }

    /** The Java of this process, for processes that it starts. */
    public static String java() {
        return ProcessHandle.current().info().command().orElse("java");
    }

    int events(int ofAll) {
        return Math.max(Math.min(FEWEST, ofAll), (int) (ofAll * share));
    }
}
