package dev.waybill.jdbc.kernel;

import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** Accepts only complete UUIDs: Java truncates parts that are too long, which could make two ids equal. */
public final class UuidForm {
    private static final Pattern FULL =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private UuidForm() {}

    public static boolean matches(String id) {
        return FULL.matcher(id).matches();
    }

    /** Empty if the text is not a UUID. */
    public static Optional<UUID> parse(String id) {
        return matches(id) ? Optional.of(UUID.fromString(id)) : Optional.empty();
    }

    /** A UUID as PostgreSQL transfers it: 16 bytes in binary transfer, 36 characters in text transfer. */
    public static Utf8 text(byte[] raw) {
        if (raw.length != 16) {
            return Utf8.wrap(raw);
        }
        byte[] text = new byte[36];
        int at = 0;
        for (int i = 0; i < 16; i++) {
            if (i == 4 || i == 6 || i == 8 || i == 10) {
                text[at++] = '-';
            }
            text[at++] = HEX[(raw[i] >> 4) & 0xF];
            text[at++] = HEX[raw[i] & 0xF];
        }
        return Utf8.wrap(text);
    }
}
