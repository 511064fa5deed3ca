package dev.waybill.bench.systems;

import java.util.List;

/**
 * A system that can be measured.
 *
 * @param name in tables and charts
 * @param version of what is measured
 * @param command starts its process, without the arguments that every system gets
 * @param share of the run's events that it drains, so that a slow system does not take hours
 */
public record SystemSpec(String name, String version, List<String> command, double share) {
    public SystemSpec {
        command = List.copyOf(command);
    }

    int events(int ofAll) {
        return Math.max(1, (int) (ofAll * share));
    }
}
