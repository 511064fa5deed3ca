package dev.waybill.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.EventIds;
import dev.waybill.Inbox.Outcome;
import dev.waybill.Incoming;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.tck.inbox.InboxContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/** Inboxes on tables of users, whose times may have fewer digits than those of two transactions need to differ. */
@ParameterizedClass(name = "{0}, {1}, {2} digits")
@CsvSource({
    "MARIADB, waybill, 0",
    "MARIADB, waybill, 6",
    "MARIADB, processed_events, 0",
    "MARIADB, processed_events, 3",
    "MARIADB, processed_events, 6",
    "MARIADB, consumer groups, 0",
    "MARIADB, consumer groups, 3",
    "MARIADB, consumer groups, 6",
    "H2, waybill, 0",
    "H2, waybill, 6",
    "H2, processed_events, 0",
    "H2, processed_events, 3",
    "H2, processed_events, 6",
    "H2, consumer groups, 0",
    "H2, consumer groups, 3",
    "H2, consumer groups, 6"
})
class InboxTimesTest {
    /** In a few of them the times may differ. */
    private static final int EVENTS = 20;

    private static final int MICROSECONDS = 6;

    @Parameter(0)
    TableDialect dialect;

    @Parameter(1)
    String layout;

    @Parameter(2)
    int digits;

    @Test
    void a_handler_that_continues_after_a_rollback_has_no_effect_though_another_mark_has_the_same_time()
            throws SQLException {
        InboxDatabase inbox = create();
        for (int i = 0; i < EVENTS; i++) {
            Incoming event = Incoming.event(EventIds.next());
            String name = "paid-" + i;
            Connection transaction = inbox.begin();
            assertThatExceptionOfType(TransactionConflictException.class)
                    .isThrownBy(() -> inbox.inbox.handleOnce(transaction, InboxContract.CONSUMER, event, open -> {
                        inbox.startOver(transaction);
                        assertThat(handle(inbox, event, name)).isEqualTo(Outcome.HANDLED);
                        inbox.leaveEffect(open, name);
                    }));
            inbox.rollback(transaction);
            assertThat(inbox.effects(name)).isEqualTo(1);
        }
    }

    /** The mark is committed with the first part of the effect. Only its time tells it from one of another transaction. */
    @Test
    void a_handler_that_commits_by_ddl_has_its_effect_if_the_time_of_its_mark_identifies_it() throws SQLException {
        InboxDatabase inbox = create();
        Incoming event = Incoming.event(EventIds.next());
        Connection transaction = inbox.begin();
        if (digits < MICROSECONDS) {
            assertThatExceptionOfType(TransactionConflictException.class)
                    .isThrownBy(() -> handleWithDdl(inbox, transaction, event));
            inbox.rollback(transaction);
        } else {
            assertThat(handleWithDdl(inbox, transaction, event)).isEqualTo(Outcome.HANDLED);
            inbox.commit(transaction);
            assertThat(inbox.effects("paid")).isEqualTo(1);
        }
        assertThat(handle(inbox, event, "paid")).isEqualTo(Outcome.DUPLICATE);
    }

    private static Outcome handleWithDdl(InboxDatabase inbox, Connection transaction, Incoming event)
            throws SQLException {
        return inbox.inbox.handleOnce(transaction, InboxContract.CONSUMER, event, open -> {
            try (Statement statement = open.createStatement()) {
                statement.execute("create table ledger (id int primary key)");
            }
            inbox.leaveEffect(open, "paid");
        });
    }

    @Test
    void a_handler_may_use_savepoints_and_handle_another_event_in_its_transaction() throws SQLException {
        InboxDatabase inbox = create();
        Connection transaction = inbox.begin();
        inbox.inbox.handleOnce(transaction, InboxContract.CONSUMER, Incoming.event(EventIds.next()), open -> {
            inbox.inbox.handleOnce(
                    open,
                    InboxContract.CONSUMER,
                    Incoming.event(EventIds.next()),
                    inner -> inbox.leaveEffect(inner, "inner"));
            Savepoint savepoint = open.setSavepoint();
            inbox.leaveEffect(open, "not meant");
            open.rollback(savepoint);
            inbox.leaveEffect(open, "outer");
        });
        inbox.commit(transaction);
        assertThat(inbox.effects("inner")).isEqualTo(1);
        assertThat(inbox.effects("not meant")).isZero();
        assertThat(inbox.effects("outer")).isEqualTo(1);
    }

    private InboxDatabase create() throws SQLException {
        InboxDatabase inbox = InboxDatabase.create(dialect, InboxDatabase.layout(layout));
        inbox.keepTimesOf(digits);
        return inbox;
    }

    private static Outcome handle(InboxDatabase inbox, Incoming event, String name) {
        Connection transaction = inbox.begin();
        Outcome outcome = inbox.inbox.handleOnce(
                transaction, InboxContract.CONSUMER, event, open -> inbox.leaveEffect(open, name));
        inbox.commit(transaction);
        return outcome;
    }
}
