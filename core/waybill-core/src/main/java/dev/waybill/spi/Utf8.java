package dev.waybill.spi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Text as the bytes it travels in, so that a relay that only passes it on never decodes it. Immutable as long as nobody
 * changes the array it was made from.
 */
public final class Utf8 {
    private final byte[] bytes;
    private int hash;

    private Utf8(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Takes the array over; it must not change any more. */
    public static Utf8 wrap(byte[] utf8) {
        return new Utf8(utf8);
    }

    public static Utf8 of(String text) {
        return new Utf8(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The bytes themselves; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return bytes.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Utf8 utf8 && Arrays.equals(bytes, utf8.bytes);
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            h = Arrays.hashCode(bytes);
            hash = h;
        }
        return h;
    }

    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
