package dev.waybill.example.polyshop.common;

import dev.waybill.jsonschema.RegistryFile;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The event contract: all types of events with their schemas. */
public final class EventTypes {
    private static final List<String> ALL =
            List.copyOf(RegistryFile.read(file()).types());

    private EventTypes() {}

    /** The file that lists them. */
    public static Path file() {
        URL registry = Objects.requireNonNull(EventTypes.class.getResource("/polyshop/events/registry.json"));
        try {
            return Path.of(registry.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the event contract is not in a folder", e);
        }
    }

    public static List<String> all() {
        return ALL;
    }
}
