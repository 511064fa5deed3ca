package dev.waybill.jdbc.kernel;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** UUIDs written in full: Java cuts parts that are too long, and two ids would be one. */
public final class UuidForm {
    private static final Pattern FULL =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private UuidForm() {}

    public static boolean matches(String id) {
        return FULL.matcher(id).matches();
    }

    /** Nothing for what is no UUID. */
    public static Optional<UUID> parse(String id) {
        return matches(id) ? Optional.of(UUID.fromString(id)) : Optional.empty();
    }
}
