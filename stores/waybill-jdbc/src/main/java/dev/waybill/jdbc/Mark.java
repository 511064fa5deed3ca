package dev.waybill.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Optional;

/**
 * What tells a mark from one that another transaction wrote.
 *
 * @param stamp empty if it does not tell
 * @param savepoint set after the mark if its stamp does not tell; it is lost when the transaction ends
 */
record Mark(String stamp, Optional<Savepoint> savepoint) {
    static final Mark NONE = new Mark("", Optional.empty());

    /** MariaDB's error for a savepoint that does not exist. */
    private static final int NO_SAVEPOINT = 1305;

    /** Looks for the stamp of the mark that is in the table. */
    interface Look {
        Optional<String> stamp() throws SQLException;
    }

    /** A mark that the transaction has just written. */
    static Mark writtenIn(Connection transaction, String stamp) throws SQLException {
        return new Mark(stamp, stamp.isEmpty() ? Optional.of(transaction.setSavepoint()) : Optional.empty());
    }

    /** Whether the transaction that wrote the mark still has it. Called once. */
    boolean isStillThere(Connection transaction, Look look) throws SQLException {
        return savepoint.isPresent()
                ? released(transaction, savepoint.get())
                : look.stamp().filter(stamp::equals).isPresent();
    }

    private static boolean released(Connection transaction, Savepoint savepoint) throws SQLException {
        try {
            transaction.releaseSavepoint(savepoint);
            return true;
        } catch (SQLException e) {
            if (e.getErrorCode() == NO_SAVEPOINT) {
                return false;
            }
            throw e;
        }
    }
}
