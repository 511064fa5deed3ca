package dev.waybill.jdbc.kernel;

import dev.waybill.spi.FailureClassifier;
import dev.waybill.spi.FailureKind;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;

/** Classifies errors of PostgreSQL, MariaDB and H2, and the exception types of JDBC drivers and connection pools. */
public final class SqlFailureClassifier implements FailureClassifier {
    @Override
    public FailureKind kindOf(Throwable thrown) {
        return thrown instanceof SQLException sql ? kindOf(sql) : FailureKind.FAILED;
    }

    private static FailureKind kindOf(SQLException e) {
        FailureKind byCode = kindOfCode(e.getErrorCode());
        if (byCode != FailureKind.FAILED) {
            return byCode;
        }
        FailureKind byState = SqlStates.kindOf(e.getSQLState() == null ? "" : e.getSQLState());
        return byState == FailureKind.FAILED ? kindOfType(e) : byState;
    }

    private static FailureKind kindOfCode(int code) {
        if (MariaDbErrors.isOne(code)) {
            return MariaDbErrors.kindOf(code);
        }
        return H2Errors.isOne(code) ? H2Errors.kindOf(code) : FailureKind.FAILED;
    }

    private static FailureKind kindOfType(SQLException e) {
        if (e instanceof SQLTransactionRollbackException) {
            return FailureKind.CONFLICT;
        }
        // MariaDB's driver throws this for every unknown SQLSTATE, including those of triggers and procedures.
        boolean transientConnection = e instanceof SQLTransientConnectionException && e.getErrorCode() == 0;
        boolean away = transientConnection
                || e instanceof SQLNonTransientConnectionException
                || e instanceof SQLRecoverableException
                || e instanceof SQLTimeoutException;
        return away ? FailureKind.UNAVAILABLE : FailureKind.FAILED;
    }
}
