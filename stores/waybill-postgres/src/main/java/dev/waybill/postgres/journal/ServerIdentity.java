package dev.waybill.postgres.journal;

import dev.waybill.jdbc.kernel.Statements;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/**
 * Distinguishes this database from a copy in which xids have another meaning.
 *
 * <p>The system identifier of the cluster, if the server shows it. Hosted servers may hide it; then the identity kept in the
 * schema is used: the id in {@code waybill.identity}, the xid that wrote that row, and the oid of {@code waybill.event}. A dump
 * contains the id, but a restore writes the row again, with another xid, into another table. Copies in which xids keep their
 * meaning (a storage clone, a base backup, pg_upgrade) keep all three.
 *
 * @param shown the system identifier, if the server shows it
 * @param kept the identity kept in the schema
 */
public record ServerIdentity(Optional<String> shown, String kept) {
    private static final String MAY_ASK = "select has_function_privilege('pg_catalog.pg_control_system()', 'execute')";

    private static final String SYSTEM_IDENTIFIER =
            "select system_identifier::text from pg_catalog.pg_control_system()";

    private static final String KEPT = """
            select 'schema:' || i.id || ':' || i.xmin || ':' || to_regclass('waybill.event')::oid
              from waybill.identity i""";

    /** SQLSTATEs: no permission, no such function, not supported. */
    private static final Set<String> HIDDEN = Set.of("42501", "42883", "0A000");

    public static ServerIdentity of(Statements server) throws SQLException {
        Optional<String> kept = server.first(KEPT, row -> row.getString(1));
        return new ServerIdentity(shown(server), kept.orElse("schema:none"));
    }

    private static Optional<String> shown(Statements server) throws SQLException {
        if (!server.one(MAY_ASK, row -> row.getBoolean(1))) {
            return Optional.empty();
        }
        try {
            return server.first(SYSTEM_IDENTIFIER, row -> row.getString(1));
        } catch (SQLException e) {
            if (HIDDEN.contains(e.getSQLState())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The identifier that positions are saved under. */
    public String current() {
        return shown.orElse(kept);
    }
}
