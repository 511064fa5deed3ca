package dev.waybill.postgres.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.postgres.JournalDatabase;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.StoreRefusedException;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

/** Seqs must follow the order of appending, and an event must have its xid before its seq. */
class SeqOrderTest extends JournalFixture {
    @Test
    void a_sequence_with_a_cache_is_refused_with_the_remedy() throws SQLException {
        JournalDatabase cached = JournalDatabase.create();
        cached.execute("alter sequence waybill.event_seq_seq cache 20");

        assertThatThrownBy(() -> PostgresJournal.on(cached.dataSource()).open(RELAY, OWNER, LEASE))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("relay", "CACHE 20", "alter sequence waybill.event_seq_seq cache 1");
        assertThat(cached.number("select count(*) from waybill.relay")).isZero();

        cached.execute("alter sequence waybill.event_seq_seq cache 1");
        open(PostgresJournal.on(cached.dataSource()));
    }

    @Test
    void a_table_whose_xid_comes_after_its_seq_is_refused_with_the_remedy() throws SQLException {
        JournalDatabase reordered = JournalDatabase.create();
        reordered.execute("""
                alter table waybill.event drop column xid;
                alter table waybill.event add column xid xid8 not null default pg_current_xact_id()""");

        assertThatThrownBy(() -> PostgresJournal.on(reordered.dataSource()).open(RELAY, OWNER, LEASE))
                .isInstanceOf(StoreRefusedException.class)
                .hasMessageContainingAll("xid of waybill.event comes after seq", "waybill init --print");
        assertThat(reordered.number("select count(*) from waybill.relay")).isZero();
    }

    /** The ways in which any client may append. */
    enum Append {
        INSERT {
            @Override
            void into(String table, Connection connection) throws SQLException {
                execute(connection, "insert into " + table + " (payload) values (1)");
            }
        },
        INSERT_OF_SEVERAL_ROWS {
            @Override
            void into(String table, Connection connection) throws SQLException {
                execute(connection, "insert into " + table + " (payload) values (1), (2), (3)");
            }
        },
        INSERT_SELECT {
            @Override
            void into(String table, Connection connection) throws SQLException {
                execute(
                        connection,
                        "insert into " + table + " (payload) select n from generate_series(1, 50) n order by n");
            }
        },
        INSERT_IF_ABSENT {
            @Override
            void into(String table, Connection connection) throws SQLException {
                execute(connection, "insert into " + table + " (payload) values (1), (2) on conflict do nothing");
            }
        },
        COPY {
            @Override
            void into(String table, Connection connection) throws SQLException, IOException {
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("copy " + table + " (payload) from stdin", new StringReader("1\n2\n3\n"));
            }
        };

        abstract void into(String table, Connection connection) throws SQLException, IOException;

        private static void execute(Connection connection, String sql) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void this_server_evaluates_defaults_in_the_order_of_the_columns(Append append) throws Exception {
        database.execute("""
                create or replace function last_of(name text) returns bigint language plpgsql as
                    $$ begin return coalesce(pg_sequence_last_value(name::regclass), 0); end $$;
                drop table if exists xid_first, seq_first;
                create table xid_first (xid bigint default last_of('xid_first_seq_seq'),
                                        seq bigint generated always as identity, payload int);
                create table seq_first (seq bigint generated always as identity,
                                        xid bigint default last_of('seq_first_seq_seq'), payload int)""");
        try (Connection connection = database.connect()) {
            append.into("xid_first", connection);
            append.into("xid_first", connection);
            append.into("seq_first", connection);
        }

        assertThat(database.texts("select (seq - xid)::text from xid_first"))
                .as("the seq was not assigned yet when the column before it was evaluated")
                .isNotEmpty()
                .containsOnly("1");
        assertThat(database.texts("select (seq - xid)::text from seq_first"))
                .as("in a table with the columns in reverse order it was")
                .isNotEmpty()
                .containsOnly("0");
    }

    @Test
    void the_columns_are_in_that_order() throws SQLException {
        assertThat(database.texts("select attname from pg_attribute where attrelid = 'waybill.event'::regclass"
                        + " and attnum > 0 order by attnum limit 2"))
                .containsExactly("xid", "seq");
    }

    @Test
    void the_last_seq_that_is_read_is_never_above_what_was_assigned() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> assigning = CompletableFuture.runAsync(() -> assignSeqsUntil(done));
        CompletableFuture<Void> assigningToo = CompletableFuture.runAsync(() -> assignSeqsUntil(done));
        try {
            database.execute("""
                    drop table if exists fell_back;
                    create table fell_back (seen bigint, later bigint);
                    do $$ declare last bigint := 0; now bigint;
                    begin
                        for i in 1..500000 loop
                            now := (%s);
                            if now < last then insert into fell_back values (last, now); end if;
                            last := now;
                        end loop;
                    end $$""".formatted("select " + SequenceGuard.LAST_VALUE));
        } finally {
            done.set(true);
            assigning.join();
            assigningToo.join();
        }

        assertThat(database.number("select count(*) from fell_back")).isZero();
        assertThat(database.number("select " + SequenceGuard.LAST_VALUE)).isGreaterThan(1_000);
    }

    private void assignSeqsUntil(AtomicBoolean done) {
        try {
            while (!done.get()) {
                database.execute("""
                        do $$ begin for i in 1..5000 loop perform nextval('waybill.event_seq_seq'); end loop; end $$""");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
