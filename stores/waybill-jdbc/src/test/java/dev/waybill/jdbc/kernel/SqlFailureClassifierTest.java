package dev.waybill.jdbc.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.FailureKind;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors as drivers and pools throw them, asked about as the consumer runtime does. */
class SqlFailureClassifierTest {

    @ParameterizedTest
    @CsvSource({
        "08001, 0, UNAVAILABLE",
        "53000, 0, UNAVAILABLE",
        "25006, 0, UNAVAILABLE",
        "25P03, 0, UNAVAILABLE",
        "28P01, 0, UNAVAILABLE",
        "3D000, 0, UNAVAILABLE",
        "57P05, 0, UNAVAILABLE",
        "58030, 0, UNAVAILABLE",
        "40001, 0, CONFLICT",
        "40P01, 0, CONFLICT",
        "55P03, 0, CONFLICT",
        "40002, 0, FAILED",
        "25P02, 0, FAILED",
        "23505, 0, FAILED",
        "42P01, 0, FAILED",
        "XX000, 0, FAILED",
        "HY000, 1290, UNAVAILABLE",
        "70100, 1927, UNAVAILABLE",
        "HY000, 1020, CONFLICT",
        "23000, 1062, FAILED",
        "HY000, 1364, FAILED",
        "HYT00, 50200, CONFLICT",
        "90131, 90131, CONFLICT",
        "40001, 40001, CONFLICT",
        "90098, 90098, UNAVAILABLE",
        "90100, 90100, UNAVAILABLE",
        "23505, 23505, FAILED"
    })
    void errors_of_servers(String state, int code, FailureKind kind) {
        SQLException error = new SQLException("said the server", state, code);

        assertThat(FailureKind.of(error)).isEqualTo(kind);
        assertThat(FailureKind.of(new IllegalStateException(ServerError.withoutRows(error))))
                .isEqualTo(kind);
    }

    @Test
    void exception_types_of_pools_and_drivers_are_classified() {
        assertThat(FailureKind.of(new SQLTransientConnectionException("pool - Connection is not available")))
                .isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(FailureKind.of(new SQLRecoverableException("IO Error", "66000", 17002)))
                .isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(FailureKind.of(new SQLTimeoutException("too slow"))).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(FailureKind.of(new SQLTransactionRollbackException("lost"))).isEqualTo(FailureKind.CONFLICT);
    }

    @Test
    void the_signal_of_a_trigger_on_mariadb_is_not_an_outage() {
        assertThat(FailureKind.of(new SQLTransientConnectionException("no stock left", "45000", 1644)))
                .isEqualTo(FailureKind.FAILED);
    }

    @Test
    void errors_chained_to_a_batch_count() {
        BatchUpdateException batch = new BatchUpdateException("batch failed", new int[0]);
        batch.setNextException(new SQLException("disk full", "53100"));

        assertThat(FailureKind.of(batch)).isEqualTo(FailureKind.UNAVAILABLE);
    }
}
