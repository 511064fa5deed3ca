package dev.waybill.spring.boot.properties;

import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.WaitFor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A store: an outbox of the application, and where its relays read.
 *
 * @param type The kind. Default: the journal on PostgreSQL, a table with the layout waybill on other databases, and mongodb if
 *     there is no data source.
 * @param dataSource Name of the DataSource bean in whose transactions events are appended; for MongoDB of the
 *     MongoDatabaseFactory bean. Default: the only or primary one.
 * @param url JDBC URL of the connections of relays. Default: that of the data source. It must lead to the primary server, not
 *     through a pooler in transaction mode.
 * @param user The role of the connections of relays, with url.
 * @param password The password of that role, with url.
 * @param schema What happens at the start: the tables or indexes are checked, created, or nothing.
 * @param retention How long published events are kept. Default: for ever.
 * @param start Where a relay that is new to the journal starts: with the oldest event, or with events committed from now on.
 * @param save When positions are saved.
 * @param waitFor When an event may be published: when its commit is visible, when it is on this server's disk, or when it is on a
 *     standby's disk.
 * @param standbys With wait-for=replica: each of these standbys must have the commit, by its application_name. Default: any one
 *     standby is enough.
 * @param environment The environment that this database belongs to, such as production. Relays configured for another
 *     environment refuse to read it.
 * @param layout What the table looks like: the name of a preset, or a layout. Default: waybill.
 * @param competing Whether several processes publish from the table at once, each with a lease on its rows. Without order.
 * @param onPermanentError What happens to a dead row if the layout has no word for that state: it is kept for an operator, or
 *     marked as published with its error stored.
 * @param guard A table, such as ProcessedEvent, that records what was published.
 * @param created The time range of the rows that are published. Default: all rows.
 * @param collection The collection of the outbox in MongoDB.
 * @param lock How long a record that is being published is locked for workers that are not Waybill's.
 * @param maxPayloadBytes Larger payloads are refused when they are appended.
 * @param lockKeys Whether an append locks each key until the transaction ends. Only for aggregates without a row that every
 *     writer locks first.
 */
public record StoreProperties(
        @Nullable StoreType type,
        @Nullable String dataSource,
        @Nullable String url,
        @Nullable String user,
        @Nullable String password,
        @DefaultValue("validate") SchemaAction schema,
        @Nullable Duration retention,
        @DefaultValue("beginning") JournalOptions.Start start,
        @DefaultValue Save save,
        @DefaultValue("commit") WaitFor.Stage waitFor,
        @DefaultValue List<String> standbys,
        @Nullable String environment,
        @Nullable LayoutProperties layout,
        @DefaultValue("false") boolean competing,
        @DefaultValue("keep") OnPermanentError onPermanentError,
        @Nullable String guard,
        @DefaultValue Created created,
        @DefaultValue("outbox") String collection,
        @DefaultValue("1m") Duration lock,
        @DefaultValue("1000000") int maxPayloadBytes,
        @DefaultValue("false") boolean lockKeys) {

    /** What happens to a dead row without a state for it. */
    public enum OnPermanentError {
        KEEP,
        MARK_PUBLISHED
    }

    /**
     * When positions are saved.
     *
     * @param events The position is saved at least every this many events …
     * @param within … or after this time. It bounds what a crash may publish again.
     */
    public record Save(
            @DefaultValue("10000") int events,
            @DefaultValue("250ms") Duration within) {}

    /**
     * A range of creation times.
     *
     * @param from Only rows created at or after this time …
     * @param until … and before this time.
     */
    public record Created(@Nullable Instant from, @Nullable Instant until) {}

    public Optional<Duration> keptFor() {
        return Optional.ofNullable(retention);
    }

    /** Without the address and the password. */
    @Override
    public String toString() {
        return "StoreProperties[type=" + type + ", dataSource=" + dataSource + ", schema=" + schema + "]";
    }
}
