package dev.waybill.jdbc.layout;

import dev.waybill.Event;
import dev.waybill.RelayDefaults;
import dev.waybill.jdbc.kernel.SqlIdentifier;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Builds a {@link TableLayout}; see {@link TableLayout#of} and {@link TableLayout#change}. */
public final class TableLayoutBuilder {
    /** Default of the maximum length of a stored error, in characters. */
    public static final int DEFAULT_ERROR_LENGTH = 1_000;

    /** Attempts before a row counts as dead. */
    public static final int DEFAULT_MAX_ATTEMPTS = 25;

    private static final List<TableColumn> REQUIRED =
            List.of(TableColumn.ID, TableColumn.TYPE, TableColumn.AGGREGATE_ID, TableColumn.PAYLOAD);

    String name;
    Optional<String> schema = Optional.empty();
    String table;
    final Map<TableColumn, String> columns = new LinkedHashMap<>();
    final Map<TableColumn, Integer> lengths = new EnumMap<>(TableColumn.class);
    final List<TableLayout.Index> indexes = new ArrayList<>();
    TableLayout.IdKind idKind = TableLayout.IdKind.TEXT;
    TableLayout.IdKind aggregateIdKind = TableLayout.IdKind.TEXT;
    TableLayout.PayloadKind payloadKind = TableLayout.PayloadKind.JSON;
    Optional<TableState> state = Optional.empty();
    TableLayout.Published published = TableLayout.Published.MARK;
    Optional<ZoneId> zone = Optional.empty();
    Optional<String> aggregateType = Optional.empty();
    int maxAttempts = DEFAULT_MAX_ATTEMPTS;
    RelayDefaults relayDefaults = RelayDefaults.standard();
    boolean fromFile;

    TableLayoutBuilder(String table) {
        this.name = table;
        this.table = table;
        lengths.put(TableColumn.ERROR, DEFAULT_ERROR_LENGTH);
    }

    TableLayoutBuilder(TableLayout from) {
        this.name = from.name();
        this.schema = from.schema();
        this.table = from.table();
        this.columns.putAll(from.columns());
        for (TableColumn column : TableColumn.values()) {
            from.length(column).ifPresent(length -> this.lengths.put(column, length));
        }
        this.indexes.addAll(from.indexes());
        this.idKind = from.idKind();
        this.aggregateIdKind = from.aggregateIdKind();
        this.payloadKind = from.payloadKind();
        this.state = Optional.of(from.state());
        this.published = from.published();
        this.zone = from.zone();
        this.aggregateType = from.aggregateType();
        this.maxAttempts = from.maxAttempts();
        this.relayDefaults = from.relayDefaults();
        this.fromFile = from.isFromFile();
    }

    /** The name of the layout in messages. */
    public TableLayoutBuilder name(String newName) {
        this.name = newName;
        return this;
    }

    public TableLayoutBuilder table(String newTable) {
        this.table = newTable;
        return this;
    }

    public TableLayoutBuilder table(String newSchema, String newTable) {
        this.schema = Optional.of(newSchema);
        this.table = newTable;
        return this;
    }

    /** The table has this column, under this name. */
    public TableLayoutBuilder column(TableColumn column, String columnName) {
        columns.put(column, columnName);
        return this;
    }

    /** The table has this column, with a maximum length of the text in characters. */
    public TableLayoutBuilder column(TableColumn column, String columnName, int length) {
        lengths.put(column, length);
        return column(column, columnName);
    }

    /** The table does not have this column. */
    public TableLayoutBuilder without(TableColumn column) {
        columns.remove(column);
        return this;
    }

    /** Adds an index that {@code TableSchema} creates with the table. */
    public TableLayoutBuilder index(String indexName, TableColumn... on) {
        indexes.add(new TableLayout.Index(indexName, List.of(on)));
        return this;
    }

    public TableLayoutBuilder idKind(TableLayout.IdKind kind) {
        this.idKind = kind;
        return this;
    }

    public TableLayoutBuilder aggregateIdKind(TableLayout.IdKind kind) {
        this.aggregateIdKind = kind;
        return this;
    }

    public TableLayoutBuilder payloadKind(TableLayout.PayloadKind kind) {
        this.payloadKind = kind;
        return this;
    }

    public TableLayoutBuilder state(TableState newState) {
        this.state = Optional.of(newState);
        return this;
    }

    /**
     * What happens to published rows. A layout that deletes them needs no state and no creation time; without a creation time and
     * without a sequence, only {@code COMPETING} relays can read the table.
     */
    public TableLayoutBuilder published(TableLayout.Published newPublished) {
        this.published = newPublished;
        return this;
    }

    /** Default: a flag, or no state if published rows are deleted and no column holds a state. */
    TableState effectiveState() {
        boolean needsNone = published == TableLayout.Published.DELETE && !columns.containsKey(TableColumn.STATE);
        return state.orElseGet(() -> needsNone ? new TableState.Presence() : new TableState.Flag());
    }

    /** The time columns have no zone and hold the local time of this zone. Prefer UTC: other zones repeat an hour. */
    public TableLayoutBuilder timesIn(ZoneId newZone) {
        this.zone = Optional.of(newZone);
        return this;
    }

    /** The time columns hold instants: timestamp with time zone on PostgreSQL and H2, timestamp on MariaDB. */
    public TableLayoutBuilder timesAreInstants() {
        this.zone = Optional.empty();
        return this;
    }

    /** The aggregate type of all rows, for tables without a column for it. */
    public TableLayoutBuilder aggregateType(String type) {
        this.aggregateType = Optional.of(type);
        return this;
    }

    public TableLayoutBuilder maxAttempts(int attempts) {
        this.maxAttempts = attempts;
        return this;
    }

    /** The layout comes from a configuration file: messages name the keys of the file, not the methods of this builder. */
    public TableLayoutBuilder fromFile() {
        this.fromFile = true;
        return this;
    }

    /** What a relay of the table does unless it is told otherwise. */
    public TableLayoutBuilder relayDefaults(RelayDefaults defaults) {
        this.relayDefaults = defaults;
        return this;
    }

    /**
     * @throws IllegalArgumentException if the layout is invalid; the message says why
     */
    public TableLayout build() {
        for (TableColumn column : REQUIRED) {
            require(columns.containsKey(column), "names no column for the " + column.words());
        }
        require(
                columns.containsKey(TableColumn.CREATED_AT) || published == TableLayout.Published.DELETE,
                "names no column for the created at; only a layout that deletes published rows can do without");
        requireState(effectiveState());
        require(
                columns.containsKey(TableColumn.LOCKED_BY) == columns.containsKey(TableColumn.LOCKED_UNTIL),
                "has only one of the two columns of a lease: a lease needs owner and expiry");
        require(
                !columns.containsKey(TableColumn.PAYLOAD_BYTES) || columns.containsKey(TableColumn.CONTENT_TYPE),
                "has a column for payload bytes but none for their content type");
        require(
                aggregateType.isEmpty() || !columns.containsKey(TableColumn.AGGREGATE_TYPE),
                "has both a column for the aggregate type and one type for all rows");
        require(maxAttempts >= 1, "allows " + maxAttempts + " attempts, at least 1 are needed");
        requireNames();
        return new TableLayout(this);
    }

    private void requireState(TableState state) {
        boolean hasState = columns.containsKey(TableColumn.STATE);
        if (state instanceof TableState.Presence) {
            require(published == TableLayout.Published.DELETE, "has no state, so it must delete published rows");
            require(
                    !hasState && !columns.containsKey(TableColumn.PUBLISHED_AT),
                    "has no state but names a column for the state or the published time");
        } else if (state instanceof TableState.PublishedTime) {
            require(
                    columns.containsKey(TableColumn.PUBLISHED_AT),
                    "uses the published time as state but names no column for it");
            require(!hasState, "uses the published time as state but names a state column too");
        } else {
            require(hasState, "names no column for the state");
        }
    }

    /** Names must not differ only in case, which some databases ignore. */
    private void requireNames() {
        SqlIdentifier.require(table);
        schema.ifPresent(SqlIdentifier::require);
        Set<String> seen = new HashSet<>();
        for (String column : columns.values()) {
            SqlIdentifier.require(column);
            require(seen.add(column.toLowerCase(Locale.ROOT)), "uses the column " + column + " for two things");
        }
        for (TableLayout.Index index : indexes) {
            SqlIdentifier.require(index.name());
            require(
                    columns.keySet().containsAll(index.columns()),
                    "has an index " + index.name() + " on a column it does not have");
        }
        for (Map.Entry<TableColumn, Integer> length : lengths.entrySet()) {
            require(
                    length.getValue() >= 1,
                    "gives the " + length.getKey().words() + " " + length.getValue()
                            + " characters, at least 1 are needed");
        }
        aggregateType.ifPresent(type -> require(
                !type.isBlank() && type.length() <= Event.MAX_NAME_LENGTH,
                "has an aggregate type that is empty or longer than " + Event.MAX_NAME_LENGTH + " characters"));
    }

    private void require(boolean holds, String complaint) {
        if (!holds) {
            throw new IllegalArgumentException("The layout " + name + " of table " + table + " " + complaint + ".");
        }
    }
}
