package dev.waybill.spi;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Text as UTF-8 bytes, so that a relay does not decode text that it only passes on. Immutable as long as the array it was created
 * from is not changed.
 */
public final class Utf8 {
    private final byte[] bytes;
    private int hash;

    private Utf8(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Does not copy the array, which must not be changed afterwards. */
    public static Utf8 wrap(byte[] utf8) {
        return new Utf8(utf8);
    }

    public static Utf8 of(String text) {
        return new Utf8(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Not a copy: must not be changed. */
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
