package dev.waybill.jdbc.kernel;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Accepts only complete UUIDs: Java truncates parts that are too long, which could make two ids equal. */
public final class UuidForm {
    private static final Pattern FULL =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private UuidForm() {}

    public static boolean matches(String id) {
        return FULL.matcher(id).matches();
    }

    /** Empty if the text is not a UUID. */
    public static Optional<UUID> parse(String id) {
        return matches(id) ? Optional.of(UUID.fromString(id)) : Optional.empty();
    }
}
