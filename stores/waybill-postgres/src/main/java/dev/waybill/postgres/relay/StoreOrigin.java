package dev.waybill.postgres.relay;

import dev.waybill.postgres.journal.JournalConnection;
import dev.waybill.postgres.journal.JournalEnvironment;
import dev.waybill.postgres.journal.ServerIdentity;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.SQLException;
import java.util.HexFormat;

/**
 * Identifies a journal at destinations that several journals share. A restored copy has another identity, and a copy made with
 * {@code create database … template} another name. A clone of the storage has the same of both, and another environment if both are
 * configured with one.
 */
final class StoreOrigin {
    private static final int BYTES = 8;

    private StoreOrigin() {}

    static String of(JournalConnection connection) throws SQLException {
        String identity = ServerIdentity.of(connection).kept();
        String environment = JournalEnvironment.bound(connection).orElse("");
        String database = connection.one("select current_database()", row -> row.getString(1));
        return HexFormat.of().formatHex(hash(identity + "\n" + database + "\n" + environment), 0, BYTES);
    }

    private static byte[] hash(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
