package dev.waybill.server.config;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableLayoutBuilder;
import dev.waybill.jdbc.layout.TableState;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An outbox table of one's own, column by column. */
final class LayoutBlock {
    /** How a row says what became of it. */
    enum StateBy {
        FLAG,
        WORDS,
        PUBLISHED_TIME
    }

    static final Scalar<String> PRESETS =
            Scalars.choice(List.of("polyshop", "orders", "pubsub", "notifications", "waybill"));

    private static final Key<String> PRESET =
            Key.optional("preset", PRESETS, "A preset that this layout changes; everything else is as there.");
    private static final Key<String> SCHEMA = Key.optional("schema", Scalars.TEXT, "The schema of the table.");
    private static final Key<String> TABLE = Key.optional("table", Scalars.TEXT, "The table; needed without a preset.");
    private static final Map<TableColumn, Key<String>> COLUMN = columns();
    private static final Key<Section> COLUMNS = Key.optional(
            "columns", new Block(List.copyOf(COLUMN.values())), "What the table calls the columns it has.");
    private static final Key<TableLayout.IdKind> ID_KIND = Key.optional(
            "id-kind", Scalars.choice(TableLayout.IdKind.class), "How ids are kept; text without a preset.");
    private static final Key<TableLayout.IdKind> AGGREGATE_ID_KIND = Key.optional(
            "aggregate-id-kind",
            Scalars.choice(TableLayout.IdKind.class),
            "How aggregate ids are kept; text without a preset.");
    private static final Key<TableLayout.PayloadKind> PAYLOAD_KIND = Key.optional(
            "payload-kind",
            Scalars.choice(TableLayout.PayloadKind.class),
            "How payloads are kept; json without a preset.");
    private static final Key<StateBy> BY =
            Key.required("by", Scalars.choice(StateBy.class), "A flag, a word for each state, or the published time.");
    private static final Key<String> PENDING = Key.optional("pending", Scalars.TEXT, "With words: not yet published.");
    private static final Key<String> PUBLISHED = Key.optional("published", Scalars.TEXT, "With words: published.");
    private static final Key<String> DEAD =
            Key.optional("dead", Scalars.TEXT, "With words: given up; a side table says it where there is none.");
    private static final Key<Section> STATE = Key.optional(
            "state",
            Block.of(BY, PENDING, PUBLISHED, DEAD),
            "How a row says what became of it; by a flag without a preset.");
    private static final Key<ZoneId> TIMES_IN =
            Key.optional("times-in", Scalars.ZONE, "The zone of time columns without one; else they hold instants.");
    private static final Key<String> AGGREGATE_TYPE = Key.optional(
            "aggregate-type", Scalars.TEXT, "The aggregate type of every row, where the table has no column for it.");
    private static final Key<Long> MAX_ATTEMPTS = Key.optional(
            "max-attempts",
            Scalars.count(),
            "The attempts at which a row counts as dead, with state by published-time.");

    static final Block BLOCK = Block.of(
            PRESET,
            SCHEMA,
            TABLE,
            COLUMNS,
            ID_KIND,
            AGGREGATE_ID_KIND,
            PAYLOAD_KIND,
            STATE,
            TIMES_IN,
            AGGREGATE_TYPE,
            MAX_ATTEMPTS);

    private LayoutBlock() {}

    private static Map<TableColumn, Key<String>> columns() {
        Map<TableColumn, Key<String>> columns = new EnumMap<>(TableColumn.class);
        for (TableColumn column : TableColumn.values()) {
            columns.put(
                    column,
                    Key.optional(
                            Scalars.written(column),
                            Scalars.TEXT,
                            "The column of the " + Scalars.written(column).replace('-', ' ') + "."));
        }
        return columns;
    }

    /**
     * @throws IllegalArgumentException when it cannot be used; the message says why
     */
    static TableLayout layout(Section section) {
        TableLayoutBuilder layout = begin(section);
        Section columns = section.get(COLUMNS);
        COLUMN.forEach((column, key) -> columns.find(key).ifPresent(name -> layout.column(column, name)));
        section.find(ID_KIND).ifPresent(layout::idKind);
        section.find(AGGREGATE_ID_KIND).ifPresent(layout::aggregateIdKind);
        section.find(PAYLOAD_KIND).ifPresent(layout::payloadKind);
        section.find(STATE).ifPresent(state -> layout.state(state(state)));
        section.find(TIMES_IN).ifPresent(layout::timesIn);
        section.find(AGGREGATE_TYPE).ifPresent(layout::aggregateType);
        section.find(MAX_ATTEMPTS).ifPresent(most -> layout.maxAttempts(Math.toIntExact(most)));
        return layout.build();
    }

    private static TableLayoutBuilder begin(Section section) {
        Optional<TableLayout> preset = section.find(PRESET).map(TableLayout::preset);
        String table = section.find(TABLE)
                .or(() -> preset.map(TableLayout::table))
                .orElseThrow(() -> new IllegalArgumentException(
                        "the layout names neither a preset nor a table: give one of them"));
        TableLayoutBuilder layout = preset.map(TableLayout::change).orElseGet(() -> TableLayout.of(table));
        return section.find(SCHEMA).map(schema -> layout.table(schema, table)).orElseGet(() -> layout.table(table));
    }

    private static TableState state(Section state) {
        return switch (state.get(BY)) {
            case FLAG -> new TableState.Flag();
            case PUBLISHED_TIME -> new TableState.PublishedTime();
            case WORDS -> {
                List<String> missing = new ArrayList<>();
                for (Key<String> key : List.of(PENDING, PUBLISHED)) {
                    if (state.find(key).isEmpty()) {
                        missing.add(key.name());
                    }
                }
                if (!missing.isEmpty()) {
                    throw new IllegalArgumentException(
                            "the layout's state by words lacks the words for " + String.join(" and ", missing));
                }
                yield new TableState.Words(state.get(PENDING), state.get(PUBLISHED), state.find(DEAD));
            }
        };
    }
}
