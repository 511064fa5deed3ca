package dev.waybill.jdbc.layout;

import dev.waybill.RelayDefaults;
import java.time.ZoneId;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Describes an outbox table: its name, its columns, and how a row represents its state. Waybill keeps data for which the table has
 * no column (leases, attempts, a dead state) in its own side tables. Immutable.
 *
 * <p>The presets describe well-known tables. A table that differs slightly is a preset with changes:
 *
 * <pre>{@code
 * TableLayout layout = TableLayout.orders().change().table("sales", "order_outbox").build();
 * }</pre>
 */
public final class TableLayout {
    /** The type of ids. */
    public enum IdKind {
        TEXT,
        UUID,
        /** 64-bit integers; they are numbers in messages too. */
        NUMBER
    }

    /** The type of the payload. */
    public enum PayloadKind {
        /** Validated JSON, stored unchanged. */
        JSON,
        /** PostgreSQL's jsonb, and H2's json: the database reformats the JSON, so messages differ from the appended bytes. */
        JSONB,
        TEXT,
        BYTES
    }

    /** What happens to a row when its event is published. */
    public enum Published {
        /** The row stays, and its state says that it is published. */
        MARK,
        /** The row is deleted, also when an operator discards it. Its event cannot be replayed. */
        DELETE
    }

    /** An index of the table. */
    public record Index(String name, List<TableColumn> columns) {}

    private final String name;
    private final Optional<String> schema;
    private final String table;
    private final Map<TableColumn, String> columns;
    private final Map<TableColumn, Integer> lengths;
    private final List<Index> indexes;
    private final IdKind idKind;
    private final IdKind aggregateIdKind;
    private final PayloadKind payloadKind;
    private final TableState state;
    private final Published published;
    private final Optional<ZoneId> zone;
    private final Optional<String> aggregateType;
    private final int maxAttempts;
    private final RelayDefaults relayDefaults;
    private final boolean fromFile;

    TableLayout(TableLayoutBuilder b) {
        this.name = b.name;
        this.schema = b.schema;
        this.table = b.table;
        this.columns = Collections.unmodifiableMap(new LinkedHashMap<>(b.columns));
        this.lengths = Collections.unmodifiableMap(new EnumMap<>(b.lengths));
        this.indexes = List.copyOf(b.indexes);
        this.idKind = b.idKind;
        this.aggregateIdKind = b.aggregateIdKind;
        this.payloadKind = b.payloadKind;
        this.state = b.effectiveState();
        this.published = b.published;
        this.zone = b.zone;
        this.aggregateType = b.aggregateType;
        this.maxAttempts = b.maxAttempts;
        this.fromFile = b.fromFile;
        this.relayDefaults = countsAttempts()
                ? b.relayDefaults.retry(b.relayDefaults.retry().retries(maxAttempts - 1))
                : b.relayDefaults;
    }

    /** A custom layout: name at least the columns that every layout has, and the state. */
    public static TableLayoutBuilder of(String table) {
        return new TableLayoutBuilder(table);
    }

    /** {@code outbox_events} of the PolyShop services: a processed flag, an error message, no attempts. */
    public static TableLayout polyshop() {
        return LayoutPresets.polyshop();
    }

    /** {@code outbox} of the order service: NEW, SENT or FAILED. */
    public static TableLayout orders() {
        return LayoutPresets.orders();
    }

    /** {@code outbox_events} of the Pub/Sub publisher: a published time, an attempt count, at most 25 attempts. */
    public static TableLayout pubsub() {
        return LayoutPresets.pubsub();
    }

    /** {@code EventOutbox} of the notification producer: PENDING, PROCESSED or FAILED; numbers as aggregate ids. */
    public static TableLayout notifications() {
        return LayoutPresets.notifications();
    }

    /** Waybill's own table: it stores all parts of an event and numbers its rows. */
    public static TableLayout waybill() {
        return LayoutPresets.waybill();
    }

    /**
     * {@code outbox} of Debezium's outbox event router, with its default columns. Published rows are deleted. The table has no
     * order of its own: add a sequence column to it and name it with {@link TableLayoutBuilder#column}, or claim rows competing.
     */
    public static TableLayout debezium() {
        return LayoutPresets.debezium();
    }

    /**
     * The preset of this name.
     *
     * @throws IllegalArgumentException if there is none; the message lists the presets
     */
    public static TableLayout preset(String name) {
        return LayoutPresets.byName(name);
    }

    /** A builder with the values of this layout. */
    public TableLayoutBuilder change() {
        return new TableLayoutBuilder(this);
    }

    /** Whether it comes from a configuration file, see {@link TableLayoutBuilder#fromFile}. */
    boolean isFromFile() {
        return fromFile;
    }

    /** How messages name a setting. */
    String settingNamed(String inFile, String inJava) {
        return fromFile ? inFile : inJava;
    }

    /** Name for messages: the preset or the table. */
    public String name() {
        return name;
    }

    /** The schema of the table (on MariaDB the database); default: that of the connection. */
    public Optional<String> schema() {
        return schema;
    }

    public String table() {
        return table;
    }

    /** Schema and table for messages, without quotes. */
    public String tableName() {
        return schema.map(s -> s + "." + table).orElse(table);
    }

    /** Names of the table's columns, in the table's order. */
    public Map<TableColumn, String> columns() {
        return columns;
    }

    public boolean has(TableColumn column) {
        return columns.containsKey(column);
    }

    /** Name of the column, if the table has it. */
    public Optional<String> column(TableColumn column) {
        return Optional.ofNullable(columns.get(column));
    }

    /** Maximum length of a text column, if it is limited. */
    public OptionalInt length(TableColumn column) {
        Integer length = lengths.get(column);
        return length == null ? OptionalInt.empty() : OptionalInt.of(length);
    }

    /** Additional indexes of the table; those needed for polling are created in any case. */
    public List<Index> indexes() {
        return indexes;
    }

    public IdKind idKind() {
        return idKind;
    }

    public IdKind aggregateIdKind() {
        return aggregateIdKind;
    }

    public PayloadKind payloadKind() {
        return payloadKind;
    }

    public TableState state() {
        return state;
    }

    public Published published() {
        return published;
    }

    /** Whether published rows are deleted. */
    public boolean deletesPublished() {
        return published == Published.DELETE;
    }

    /** Whether a column tells in which order rows were appended. */
    public boolean isOrdered() {
        return has(TableColumn.SEQUENCE) || has(TableColumn.CREATED_AT);
    }

    /** The zone of the local times in the time columns; empty if they hold instants (timestamp with time zone). */
    public Optional<ZoneId> zone() {
        return zone;
    }

    /** The aggregate type of all rows, if the table has no column for it. */
    public Optional<String> aggregateType() {
        return aggregateType;
    }

    /** Attempts after which a row is dead, if {@link #countsAttempts}. */
    public int maxAttempts() {
        return maxAttempts;
    }

    /** Whether a row is dead by its number of attempts: the state is the published time, and attempts have a column. */
    public boolean countsAttempts() {
        return state instanceof TableState.PublishedTime && has(TableColumn.ATTEMPTS);
    }

    /**
     * What a relay of the table does unless it is told otherwise: for a preset, as the system does that the table comes from. If
     * the table counts attempts, a relay makes {@link #maxAttempts} of them.
     */
    public RelayDefaults relayDefaults() {
        return relayDefaults;
    }

    @Override
    public String toString() {
        return "TableLayout[" + name + " on " + tableName() + "]";
    }
}
