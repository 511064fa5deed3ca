package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.RelayName;
import dev.waybill.jdbc.kernel.Connecting;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.testkit.Await;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Connections that cannot be opened, hang or break, and the state in which sessions return them. */
class RenewingConnectionTest extends JournalFixture {
    private static final String OF_THE_TWENTY =
            "select count(*) from pg_stat_activity where application_name = 'twenty'";

    @Test
    void twenty_relays_hold_one_connection_each_and_one_that_renews_all_leases() throws Exception {
        PGSimpleDataSource named = new PGSimpleDataSource();
        named.setUrl(database.server().jdbcUrl(database.name()));
        named.setApplicationName("twenty");
        PostgresJournal journal = PostgresJournal.on(named, options());
        List<RelaySession> sessions = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sessions.add(tracked(journal.open(new RelayName("relay-" + i), OWNER, LEASE))
                    .orElseThrow());
        }
        assertThat(sessions).allMatch(RelaySession::renew);

        assertThat(database.number(OF_THE_TWENTY)).isEqualTo(21);
        sessions.forEach(RelaySession::close);
        Await.until("no connection is left", () -> database.number(OF_THE_TWENTY) == 0);
    }

    @Test
    void a_renewing_connection_that_broke_is_replaced_within_the_same_renewal() throws SQLException {
        RelaySession session = open();
        assertThat(session.renew()).isTrue();
        endRenewingConnection();

        assertThat(session.renew()).isTrue();
        append("a1");
        assertThat(drain(session)).containsExactly("a1");
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void closing_a_session_does_not_wait_for_a_renewal_that_is_connecting() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        AtomicInteger given = new AtomicInteger();
        DataSource second = watched(real -> {
            if (given.incrementAndGet() > 2) {
                asked.countDown();
                answer.await();
            }
            return real;
        });
        RelaySession session = open(PostgresJournal.on(second, options()));
        assertThat(session.renew()).isTrue();
        endRenewingConnection();
        CompletableFuture<Boolean> renewing = CompletableFuture.supplyAsync(session::renew);
        asked.await();
        try {
            session.close();
            assertThat(tracked(journal().open(RELAY, new OwnerId("second"), LEASE)))
                    .as("the lease was released")
                    .isPresent();
        } finally {
            answer.countDown();
        }
        assertThat(renewing.get()).isFalse();
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void a_server_that_accepts_but_never_answers_does_not_hang_a_relay() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setServerNames(new String[] {"127.0.0.1"});
            source.setPortNumbers(new int[] {silent.getLocalPort()});
            source.setUser("somebody");

            assertThatThrownBy(() -> Connecting.to(source, Duration.ofMillis(200)))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("does not answer");
            assertThatThrownBy(() -> PostgresJournal.on(source, options()).open(RELAY, OWNER, LEASE))
                    .hasMessageContaining("does not answer");
            assertThat(source.getSocketTimeout())
                    .as("the application's own setting")
                    .isZero();
        }
    }

    private void endRenewingConnection() throws SQLException {
        database.execute("""
                select pg_terminate_backend(pid) from pg_stat_activity
                 where datname = current_database() and query ilike '%update waybill.lease set lease_until%'
                   and pid <> pg_backend_pid()""");
    }

    @Test
    void a_connection_that_opens_too_late_is_closed() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        CompletableFuture<Connection> late = new CompletableFuture<>();
        DataSource slow = watched(real -> {
            // Like a driver that waits for a server, this ignores interrupts.
            CompletableFuture.runAsync(() -> awaitQuietly(answer)).join();
            late.complete(real);
            return real;
        });
        assertThatThrownBy(() -> Connecting.to(slow, Duration.ofMillis(1))).isInstanceOf(SQLException.class);
        answer.countDown();

        Connection connection = late.get();
        Await.until("it is closed", connection::isClosed);
    }

    @Test
    void a_pooled_connection_is_returned_in_its_original_state() throws SQLException {
        List<String> names = List.of(
                "statement_timeout",
                "lock_timeout",
                "enable_seqscan",
                "plan_cache_mode",
                "default_transaction_isolation",
                "synchronous_commit",
                "idle_session_timeout");
        try (Connection pooled = database.connect()) {
            try (Statement statement = pooled.createStatement()) {
                statement.execute("set statement_timeout = '7s'; set synchronous_commit = off; set enable_sort = off");
            }
            pooled.setNetworkTimeout(Runnable::run, 5_000);
            Map<String, String> before = settings(pooled);
            PostgresJournal journal = PostgresJournal.on(alwaysGiving(pooled), options());
            append("a1");

            RelaySession session = open(journal);
            assertThat(drain(session)).containsExactly("a1");
            assertThat(settings(pooled)).isNotEqualTo(before);
            session.close();

            assertThat(settings(pooled)).isEqualTo(before);
            assertThat(names).allSatisfy(name -> assertThat(before).containsKey(name));
            assertThat(pooled.getNetworkTimeout()).isEqualTo(5_000);
        }
    }

    /** Value and source, by name. */
    private static Map<String, String> settings(Connection connection) throws SQLException {
        Map<String, String> settings = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("""
                        select name, setting || ' (' || source || ')' from pg_settings where name not like 'transaction\\_%'""")) {
            while (row.next()) {
                settings.put(row.getString(1), row.getString(2));
            }
        }
        return settings;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private interface Giving {
        Connection give(Connection real) throws InterruptedException;
    }

    private DataSource watched(Giving assigning) {
        DataSource real = database.dataSource();
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (self, method, arguments) -> assigning.give(real.getConnection()));
    }

    private DataSource alwaysGiving(Connection connection) {
        Connection kept = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (self, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> kept);
    }
}
