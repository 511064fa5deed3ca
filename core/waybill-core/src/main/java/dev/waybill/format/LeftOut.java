package dev.waybill.format;

import dev.waybill.spi.InboundMessage;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What a dead letter says of a message that did not fit into it, or whose headers did not.
 *
 * @param place where the message stood with its broker
 * @param bytes how long it is
 * @param sha256 of its bytes, in hexadecimal digits
 * @param headers names of the headers that were left out, when the body was not; the first of many
 */
public record LeftOut(String place, int bytes, String sha256, List<String> headers) {
    private static final int MOST_NAMES = 100;
    private static final int LONGEST_NAME = 100;

    public static LeftOut of(String place, byte[] message) {
        return new LeftOut(place, message.length, sha256(message), List.of());
    }

    /** Its headers alone. */
    public static LeftOut headersOf(InboundMessage message) {
        List<String> names = message.headers().stream()
                .limit(MOST_NAMES)
                .map(header -> header.name()
                        .substring(0, Math.min(LONGEST_NAME, header.name().length())))
                .toList();
        return new LeftOut(message.place(), message.value().length, sha256(message.value()), names);
    }

    /** Whether this is the message, byte for byte. */
    public boolean isOf(byte[] message) {
        return message.length == bytes && sha256(message).equals(sha256);
    }

    private static String sha256(byte[] message) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(message));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
