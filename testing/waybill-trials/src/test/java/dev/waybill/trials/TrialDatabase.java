package dev.waybill.trials;

import dev.waybill.admin.RelayStatus;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** The database of one trial: the journal, the shop's table, and a record of takeovers and parked events. */
final class TrialDatabase {
    private static final String SCHEMA = """
            create table aggregate (key text primary key, revision bigint not null);

            create table takeover (relay text, epoch bigint, base pg_snapshot, target pg_snapshot, seq bigint);
            create function note_takeover() returns trigger language plpgsql as $$
            begin
                insert into public.takeover values (new.name, new.epoch, new.base, new.target, new.seq);
                return null;
            end $$;
            create trigger note_takeover after update of epoch on waybill.relay for each row
                when (new.epoch is distinct from old.epoch) execute function note_takeover();

            create table ever_parked (relay text, seq bigint);
            create function note_parked() returns trigger language plpgsql as $$
            begin
                insert into public.ever_parked values (new.relay, new.seq);
                return null;
            end $$;
            create trigger note_parked after insert on waybill.parked for each row execute function note_parked()""";

    static final String COMMITTED =
            "select id, aggregate_type || ':' || aggregate_id, aggregate_version from waybill.event";

    /** Events published by an epoch after the position from which the next epoch started. */
    private static final String NOT_SAVED = """
            select count(*)
              from unnest(?::uuid[]) published(id)
              join waybill.event e on e.id = published.id
             cross join (select * from takeover where relay = ? and epoch > ? order by epoch limit 1) next
             where not (pg_visible_in_snapshot(e.xid, next.base)
                        or (next.target is not null and e.seq <= next.seq and pg_visible_in_snapshot(e.xid, next.target)))""";

    private final String name;

    private TrialDatabase(String name) {
        this.name = name;
    }

    static TrialDatabase create() throws SQLException {
        TrialDatabase database = new TrialDatabase(TrialServers.postgres().createDatabase("trial"));
        try (Connection connection = database.dataSource().getConnection()) {
            JournalSchema.create(connection);
        }
        database.execute(SCHEMA);
        return database;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    String name() {
        return name;
    }

    DataSource dataSource() {
        return TrialServers.postgres().dataSource(name);
    }

    String url() {
        return TrialServers.postgres().jdbcUrl(name);
    }

    PostgresJournal journal() {
        return PostgresJournal.on(dataSource());
    }

    Optional<RelayStatus> status(String relay) {
        return journal().admin().relays().stream()
                .filter(status -> status.name().equals(relay))
                .findFirst();
    }

    boolean isDrained(String relay) {
        return status(relay)
                .filter(status -> status.backlog() == 0 && status.parked() == 0)
                .isPresent();
    }

    Map<UUID, Committed> committed() throws SQLException {
        Map<UUID, Committed> events = new HashMap<>();
        try (Connection connection = dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(COMMITTED)) {
            while (row.next()) {
                events.put(row.getObject(1, UUID.class), new Committed(row.getString(2), row.getLong(3)));
            }
        }
        return events;
    }

    /**
     * Number of messages of a session that its successor publishes again because they were not saved. Empty if it has
     * no successor.
     */
    long notSaved(String relay, long epoch, Collection<UUID> published) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement(NOT_SAVED)) {
            statement.setArray(1, connection.createArrayOf("uuid", published.toArray()));
            statement.setString(2, relay);
            statement.setLong(3, epoch);
            return number(statement);
        }
    }

    Duration sinceSave(String relay) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                PreparedStatement statement = connection.prepareStatement(
                        "select extract(epoch from clock_timestamp() - saved_at) * 1000 from waybill.relay where name = ?")) {
            statement.setString(1, relay);
            return Duration.ofMillis(number(statement));
        }
    }

    /** Number of events that a relay ever parked, whether or not they were delivered later. */
    long everParked(String relay) throws SQLException {
        try (Connection connection = dataSource().getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("select count(*) from ever_parked where relay = ?")) {
            statement.setString(1, relay);
            return number(statement);
        }
    }

    private static long number(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }
}
