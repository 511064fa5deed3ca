package dev.waybill.jdbc.kernel;

import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What to do about a database error that a user can mend, such as a missing privilege or a missing schema. */
public final class SqlRemedy {
    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private SqlRemedy() {}

    /** Empty if the error has no remedy of its own. */
    public static Optional<String> of(SQLException e) {
        return of(
                e,
                "As the owner, grant this role what it needs: `waybill init --relay ROLE` to run relays, --viewer to look,"
                        + " --operator to requeue, discard and pause, --revealer to read payloads.");
    }

    /** For a command that creates schemas and tables. */
    public static Optional<String> ofCreating(SQLException e) {
        return of(
                e,
                "Connect as a role that may create schemas and tables here and grant privileges on them, such as the owner"
                        + " of the database.");
    }

    /**
     * For a command that needs the privileges of one kind of role.
     *
     * @param option the option of {@code waybill init} that grants them
     */
    public static Optional<String> ofCommand(SQLException e, String option) {
        return of(
                e,
                "This needs the privileges that `waybill init " + option
                        + " ROLE` grants: run it as the owner, or connect" + " as a role that has them.");
    }

    public static boolean isDenied(SQLException e) {
        return INSUFFICIENT_PRIVILEGE.equals(e.getSQLState());
    }

    private static Optional<String> of(SQLException e, String ifDenied) {
        @Nullable String state = e.getSQLState();
        return switch (state == null ? "" : state) {
            case INSUFFICIENT_PRIVILEGE -> Optional.of(ifDenied);
            // undefined_table, invalid_schema_name, and the standard's code for a missing table
            case "42P01", "3F000", "42S02" ->
                Optional.of("Run `waybill init` as the owner of the database to create what is missing, or correct the"
                        + " address if this is another database.");
            case "28000", "28P01" ->
                Optional.of("Correct the user and the password: on the command line --user, and --password-file or"
                        + " WAYBILL_DB_PASSWORD; in a configuration the keys user and password.");
            case "3D000" -> Optional.of("Create the database, or correct its name in the address.");
            case "42704" ->
                Optional.of("Create what is missing first, such as a role with `create role NAME login`, and run the"
                        + " command again.");
            default -> Optional.empty();
        };
    }
}
