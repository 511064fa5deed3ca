package dev.waybill.table;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Stands for a key in the side table of an outbox table. Databases compute the same; see {@link RelayDialect#keyHash}. */
final class KeyHash {
    private KeyHash() {}

    static String of(byte[] key) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(key));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has MD5.", e);
        }
    }
}
