package dev.waybill.spi;

import java.util.UUID;

/** Identifies the holder of a lease: exactly one running instance. The value is shown to operators. */
public record OwnerId(String value) {
    public OwnerId {
        if (value.isBlank() || value.length() > 200) {
            throw new IllegalArgumentException("The owner id has " + value.length() + " characters: use 1 to 200.");
        }
    }

    /** A new owner whose value starts with the given text, such as the host and process id. */
    public static OwnerId unique(String words) {
        return new OwnerId(words + "/" + UUID.randomUUID().toString().substring(0, 8));
    }

    @Override
    public String toString() {
        return value;
    }
}
