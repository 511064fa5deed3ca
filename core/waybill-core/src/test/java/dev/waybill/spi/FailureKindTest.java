package dev.waybill.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.InboxBusyException;
import dev.waybill.InboxException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class FailureKindTest {
    static final Throwable[] ABSENCES = {
        new ConnectException("refused"),
        new SocketException("Connection reset"),
        new SocketTimeoutException("Read timed out"),
        new UnknownHostException("stock.example"),
        new UnresolvedAddressException(),
        new SSLHandshakeException("expired"),
        new HttpConnectTimeoutException("too long"),
        new TimeoutException(),
        new TransactionsUnavailableException("cut off", new IOException()),
    };

    static final Throwable[] FAULTS = {
        new NullPointerException(),
        new IOException("no paper"),
        new EOFException("half a message"),
        new IllegalStateException(new IllegalArgumentException("no such product")),
        new StackOverflowError(),
        new InboxException("value too long"),
        new SQLException("of a module that is not here"),
    };

    @ParameterizedTest
    @FieldSource("ABSENCES")
    void network_failures_are_classified_as_unavailable_however_they_are_wrapped(Throwable absence) {
        assertThat(FailureKind.of(absence)).isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(FailureKind.of(new RuntimeException(new ExecutionException(absence))))
                .isEqualTo(FailureKind.UNAVAILABLE);
        assertThat(FailureKind.of(suppressing(new IOException("closing"), absence)))
                .isEqualTo(FailureKind.UNAVAILABLE);
    }

    @ParameterizedTest
    @FieldSource("FAULTS")
    void any_other_exception_is_a_failure(Throwable fault) {
        assertThat(FailureKind.of(fault)).isEqualTo(FailureKind.FAILED);
    }

    @Test
    void errors_chained_to_a_batch_are_classified() {
        BatchUpdateException batch = new BatchUpdateException("batch failed", new int[0]);
        batch.setNextException(new SQLException("first"));
        batch.setNextException(new SQLException("second", new ConnectException("refused")));

        assertThat(FailureKind.of(new IllegalStateException(batch))).isEqualTo(FailureKind.UNAVAILABLE);
    }

    @Test
    void a_transaction_conflict_is_retried() {
        assertThat(FailureKind.of(new TransactionConflictException("lost", new IOException())))
                .isEqualTo(FailureKind.CONFLICT);
        assertThat(FailureKind.of(new RuntimeException(new InboxBusyException("busy"))))
                .isEqualTo(FailureKind.CONFLICT);
    }

    @Test
    void causes_take_precedence_over_suppressed_exceptions() {
        Throwable lost = new TransactionConflictException("lost", new IOException());

        assertThat(FailureKind.of(suppressing(new IllegalStateException(lost), new ConnectException())))
                .isEqualTo(FailureKind.CONFLICT);
    }

    @Test
    void a_cycle_of_causes_terminates() {
        IOException one = new IOException("one");
        IOException two = new IOException("two", one);
        one.initCause(two);
        one.addSuppressed(two);

        assertThat(FailureKind.of(one)).isEqualTo(FailureKind.FAILED);
    }

    private static Throwable suppressing(Throwable thrown, Throwable suppressed) {
        thrown.addSuppressed(suppressed);
        return thrown;
    }
}
