package dev.waybill.spi;

import java.util.UUID;

/** Who holds a lease: one running instance, never two. The value is shown to people. */
public record OwnerId(String value) {
    public OwnerId {
        if (value.isBlank() || value.length() > 200) {
            throw new IllegalArgumentException("An owner id has 1 to 200 characters, not " + value.length() + ".");
        }
    }

    /** A new owner that begins with the given words, such as the host and process id. */
    public static OwnerId unique(String words) {
        return new OwnerId(words + "/" + UUID.randomUUID().toString().substring(0, 8));
    }

    @Override
    public String toString() {
        return value;
    }
}
