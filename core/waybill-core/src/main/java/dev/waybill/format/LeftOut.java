package dev.waybill.format;

import dev.waybill.spi.InboundMessage;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Describes a message that did not fit into its dead letter, or whose headers did not.
 *
 * @param place position of the message at its broker
 * @param bytes size of the message
 * @param sha256 of the message's bytes, in hexadecimal
 * @param headers names of omitted headers if the body is in the letter; only the first ones if there are many
 */
public record LeftOut(String place, int bytes, String sha256, List<String> headers) {
    private static final int MOST_NAMES = 100;
    private static final int LONGEST_NAME = 100;

    public static LeftOut of(String place, byte[] message) {
        return new LeftOut(place, message.length, sha256(message), List.of());
    }

    /** For a letter without the message's headers only. */
    public static LeftOut headersOf(InboundMessage message) {
        List<String> names = message.headers().stream()
                .limit(MOST_NAMES)
                .map(header -> header.name()
                        .substring(0, Math.min(LONGEST_NAME, header.name().length())))
                .toList();
        return new LeftOut(message.place(), message.value().length, sha256(message.value()), names);
    }

    /** Whether the bytes are exactly those of the message. */
    public boolean isOf(byte[] message) {
        return message.length == bytes && sha256(message).equals(sha256);
    }

    private static String sha256(byte[] message) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(message));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing, although every Java runtime must provide it.", e);
        }
    }
}
