package dev.waybill.testkit.random;

import java.sql.SQLException;

/** Classifies a failed statement for a writer. */
enum Failure {
    /** Deadlock, serialisation failure or lock timeout: the transaction is rolled back, and the connection can be used. */
    CONFLICT,
    CONNECTION_LOST;

    static Failure of(SQLException e) throws SQLException {
        String state = String.valueOf(e.getSQLState());
        if (state.equals("40001") || state.equals("40P01") || state.equals("55P03")) {
            return CONFLICT;
        }
        if (state.startsWith("08") || state.startsWith("57P")) {
            return CONNECTION_LOST;
        }
        throw e;
    }
}
