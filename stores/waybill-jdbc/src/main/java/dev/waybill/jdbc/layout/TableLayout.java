package dev.waybill.jdbc.layout;

import java.time.ZoneId;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An outbox table as it is: its name, what its columns are called, and how a row says what became of it. What the table lacks
 * (leases, attempts, a dead state) Waybill keeps in tables of its own beside it. Immutable.
 *
 * <p>The presets are the tables that people have. A table that differs a little is a preset with changes:
 *
 * <pre>{@code
 * TableLayout layout = TableLayout.orders().change().table("sales", "order_outbox").build();
 * }</pre>
 */
public final class TableLayout {
    /** How ids are kept. */
    public enum IdKind {
        TEXT,
        UUID,
        /** Whole numbers of 64 bits; they are numbers in messages too. */
        NUMBER
    }

    /** How the payload is kept. */
    public enum PayloadKind {
        /** Checked JSON that stays as it was written. */
        JSON,
        /** PostgreSQL's jsonb, and H2's json: the database prints the JSON anew, so messages have its form, not the append's. */
        JSONB,
        TEXT,
        BYTES
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
    private final Optional<ZoneId> zone;
    private final Optional<String> aggregateType;
    private final int maxAttempts;

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
        this.state = b.state;
        this.zone = b.zone;
        this.aggregateType = b.aggregateType;
        this.maxAttempts = b.maxAttempts;
    }

    /** A layout of one's own: name at least the columns that every layout has, and the state. */
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

    /** Waybill's own table: it holds everything an event can have, and numbers its rows. */
    public static TableLayout waybill() {
        return LayoutPresets.waybill();
    }

    /**
     * The preset of this name.
     *
     * @throws IllegalArgumentException when there is none; the message lists them
     */
    public static TableLayout preset(String name) {
        return LayoutPresets.byName(name);
    }

    /** A builder with everything as it is here. */
    public TableLayoutBuilder change() {
        return new TableLayoutBuilder(this);
    }

    /** What messages call it: the preset it began as, or the table. */
    public String name() {
        return name;
    }

    /** The schema of the table (on MariaDB the database); where nothing is said, the connection's. */
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

    /** What the table calls each column it has, in the table's order. */
    public Map<TableColumn, String> columns() {
        return columns;
    }

    public boolean has(TableColumn column) {
        return columns.containsKey(column);
    }

    /** What the table calls the column, if it has it. */
    public Optional<String> column(TableColumn column) {
        return Optional.ofNullable(columns.get(column));
    }

    /** How many characters a text column takes, if it is limited. */
    public OptionalInt length(TableColumn column) {
        Integer length = lengths.get(column);
        return length == null ? OptionalInt.empty() : OptionalInt.of(length);
    }

    /** The indexes of the table's document; what polling needs comes besides. */
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

    /** The zone whose local time the time columns hold; nothing when their type holds instants (timestamp with time zone). */
    public Optional<ZoneId> zone() {
        return zone;
    }

    /** The aggregate type of all rows, where the table has no column for it and the layout says it. */
    public Optional<String> aggregateType() {
        return aggregateType;
    }

    /** The attempts at which a row counts as dead, where the state is {@link TableState.PublishedTime}. */
    public int maxAttempts() {
        return maxAttempts;
    }

    @Override
    public String toString() {
        return "TableLayout[" + name + " on " + tableName() + "]";
    }
}
