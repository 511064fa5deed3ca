package dev.waybill.postgres.journal;

import dev.waybill.jdbc.kernel.PostgresEncoding;
import dev.waybill.jdbc.kernel.Statements;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The versions of the schema {@code waybill}. */
public final class Migrations {
    private static final String SCHEMA_VERSION = "select coalesce(max(version), 0) from waybill.schema_version";

    private static final String CREATE_VERSIONS = """
            create schema if not exists waybill;
            create table if not exists waybill.schema_version (
                version    integer     primary key,
                name       text        not null,
                applied_at timestamptz not null default clock_timestamp()
            )""";

    private static final List<Migration> ALL = List.of(
            new Migration(1, "journal"),
            new Migration(2, "replay"),
            new Migration(3, "discarded"),
            new Migration(4, "lease"),
            new Migration(5, "sizes"),
            new Migration(6, "servers"),
            new Migration(7, "xid_offset"),
            new Migration(8, "names"),
            new Migration(9, "people"),
            new Migration(10, "processes"),
            new Migration(11, "windows"),
            new Migration(12, "reports"),
            new Migration(13, "one_check"));

    private record Migration(int version, String name) {
        String sql() {
            String file = "V" + version + "__" + name + ".sql";
            try (InputStream in = Migrations.class.getResourceAsStream(file)) {
                if (in == null) {
                    throw new IllegalStateException(file + " is missing from the jar.");
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException("Cannot read " + file, e);
            }
        }

        String record() {
            return "insert into waybill.schema_version (version, name) values (" + version + ", '" + name + "');\n";
        }
    }

    private Migrations() {}

    /** The version of the database's schema. */
    public static int version(Statements database) throws SQLException {
        return database.one(SCHEMA_VERSION, row -> row.getInt(1));
    }

    public static int newestVersion() {
        return ALL.get(ALL.size() - 1).version();
    }

    /** @return how many migrations were applied */
    public static int apply(Statement statement) throws SQLException {
        PostgresEncoding.require(statement.getConnection(), "a journal");
        statement.execute(CREATE_VERSIONS);
        int current;
        try (ResultSet row = statement.executeQuery(SCHEMA_VERSION)) {
            row.next();
            current = row.getInt(1);
        }
        if (current > newestVersion()) {
            throw new SQLException("The schema waybill has version " + current + ", this Waybill knows up to "
                    + newestVersion() + ": use a Waybill at least as new as the one that created it.");
        }
        int applied = 0;
        for (Migration migration : ALL) {
            if (migration.version() > current) {
                statement.execute(migration.sql());
                statement.execute(migration.record());
                applied++;
            }
        }
        return applied;
    }

    /** All migrations, for an empty database. */
    public static String script() {
        StringBuilder script = new StringBuilder(CREATE_VERSIONS).append(";\n\n");
        for (Migration migration : ALL) {
            script.append(migration.sql()).append('\n').append(migration.record());
        }
        return script.toString();
    }
}
