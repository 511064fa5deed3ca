package dev.waybill.testkit.random;

import java.sql.SQLException;

/** What a failed statement means to a writer. */
enum Failure {
    /** Deadlock, serialisation failure or lock timeout: the transaction is rolled back, the connection is good. */
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
