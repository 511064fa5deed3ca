package dev.waybill.format;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a dead letter says of a message that did not fit into it.
 *
 * @param place where the message stood with its broker
 * @param bytes how long it is
 * @param sha256 of its bytes, in hexadecimal digits
 */
public record LeftOut(String place, int bytes, String sha256) {

    public static LeftOut of(String place, byte[] message) {
        return new LeftOut(place, message.length, sha256(message));
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
