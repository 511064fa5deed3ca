package dev.waybill.spring.boot.properties;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import java.time.ZoneId;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The layout of an outbox table: {@code layout: orders} for a preset, or its parts.
 *
 * @param preset A preset that this layout changes; everything else is as in the preset.
 * @param schema The schema of the table.
 * @param table The table; needed without a preset.
 * @param columns The columns, by what they hold.
 * @param idKind The type of ids. Default without a preset: text.
 * @param aggregateIdKind The type of aggregate ids. Default without a preset: text.
 * @param payloadKind The type of payloads. Default without a preset: json.
 * @param state How a row records its state.
 * @param published What happens to a row when its event is published: it is marked, or deleted.
 * @param timesIn The time zone of time columns that have none. Default: they hold instants.
 * @param aggregateType The aggregate type of every row, if the table has no column for it.
 * @param maxAttempts Attempts after which a row counts as dead, with state by published-time.
 */
public record LayoutProperties(
        @Nullable String preset,
        @Nullable String schema,
        @Nullable String table,
        @DefaultValue Map<TableColumn, String> columns,
        TableLayout.@Nullable IdKind idKind,
        TableLayout.@Nullable IdKind aggregateIdKind,
        TableLayout.@Nullable PayloadKind payloadKind,
        @Nullable State state,
        TableLayout.@Nullable Published published,
        @Nullable ZoneId timesIn,
        @Nullable String aggregateType,
        @Nullable Integer maxAttempts) {

    /** The layout of a preset; Spring converts a text with this method. */
    public static LayoutProperties of(String preset) {
        return new LayoutProperties(preset, null, null, Map.of(), null, null, null, null, null, null, null, null);
    }

    /** How a row records its state. */
    public enum StateBy {
        FLAG,
        WORDS,
        PUBLISHED_TIME
    }

    /**
     * The state of a row.
     *
     * @param by A flag, a word for each state, or the time of publishing.
     * @param pending With words: not yet published.
     * @param published With words: published.
     * @param dead With words: dead. Default: a side table records it.
     */
    public record State(
            @Nullable StateBy by,
            @Nullable String pending,
            @Nullable String published,
            @Nullable String dead) {}
}
