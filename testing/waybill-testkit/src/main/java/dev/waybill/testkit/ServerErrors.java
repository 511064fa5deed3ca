package dev.waybill.testkit;

import dev.waybill.tck.faults.Failure;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.message.DbException;

/** Errors raised by a database server itself, with their real effect on the transaction. */
public enum ServerErrors {
    POSTGRESQL {
        @Override
        SQLException of(Failure how) {
            return new SQLException("injected: " + how, how.sqlState());
        }

        @Override
        void raise(Connection connection, Failure how) throws SQLException {
            execute(
                    connection,
                    "do $$ begin raise exception 'injected' using errcode = '" + how.sqlState() + "'; end $$");
        }
    },
    MARIADB {
        @Override
        SQLException of(Failure how) {
            return new SQLException("injected: " + how, state(how), code(how));
        }

        /** A deadlock rolls back the whole transaction, any other error only its statement. */
        @Override
        void raise(Connection connection, Failure how) throws SQLException {
            if (how == Failure.SERIALIZATION_CONFLICT && !connection.getAutoCommit()) {
                connection.rollback();
            }
            execute(
                    connection,
                    "signal sqlstate '" + state(how) + "' set mysql_errno = " + code(how)
                            + ", message_text = 'injected'");
        }

        private String state(Failure how) {
            return how == Failure.SERIALIZATION_CONFLICT
                    ? "40001"
                    : how == Failure.STATEMENT_TIMEOUT ? "70100" : "HY000";
        }

        private int code(Failure how) {
            return switch (how) {
                case LOCK_TIMEOUT -> 1205;
                case STATEMENT_TIMEOUT -> 1969;
                case SERIALIZATION_CONFLICT -> 1213;
                case DISK_FULL -> 1021;
                case READ_ONLY -> 1290;
                case BEFORE, REPLY_LOST, DISCONNECTED, ERROR, ERROR_AFTER, ERROR_TWICE, STALL, HOSTILE_EXCEPTION ->
                    throw new IllegalArgumentException(how + " is not an error of a server");
            };
        }
    },
    H2 {
        @Override
        SQLException of(Failure how) {
            return DbException.getJdbcSQLException(code(how));
        }

        /** H2 runs in this process; a deadlock rolls back the whole transaction. */
        @Override
        void raise(Connection connection, Failure how) throws SQLException {
            if (how == Failure.SERIALIZATION_CONFLICT && !connection.getAutoCommit()) {
                connection.rollback();
            }
            throw of(how);
        }

        private int code(Failure how) {
            return switch (how) {
                case LOCK_TIMEOUT -> 50200;
                case STATEMENT_TIMEOUT -> 57014;
                case SERIALIZATION_CONFLICT -> 40001;
                case DISK_FULL -> 90100;
                case READ_ONLY -> 90097;
                case BEFORE, REPLY_LOST, DISCONNECTED, ERROR, ERROR_AFTER, ERROR_TWICE, STALL, HOSTILE_EXCEPTION ->
                    throw new IllegalArgumentException(how + " is not an error of a server");
            };
        }
    };

    public static ServerErrors of(Database kind) {
        return switch (kind) {
            case POSTGRESQL -> POSTGRESQL;
            case MARIADB -> MARIADB;
            case H2 -> H2;
        };
    }

    /** The exception that a driver throws. */
    abstract SQLException of(Failure how);

    /** Makes the server raise an error, so that the connection and its transaction are in the real state after it. */
    abstract void raise(Connection connection, Failure how) throws SQLException;

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
