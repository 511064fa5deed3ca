package dev.waybill.server.config;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableLayoutBuilder;
import dev.waybill.jdbc.layout.TableState;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** The layout of an outbox table, column by column. */
final class ConfiguredLayout {
    /** How a row records its state. */
    private enum StateBy {
        FLAG,
        WORDS,
        PUBLISHED_TIME
    }

    private ConfiguredLayout() {}

    /**
     * @throws IllegalArgumentException if it cannot be used; the message says why
     */
    static TableLayout of(Section section) {
        TableLayoutBuilder layout = begin(section);
        Section columns = section.section("columns");
        for (TableColumn column : TableColumn.values()) {
            columns.findText(Section.written(column)).ifPresent(name -> layout.column(column, name));
        }
        section.find("id-kind", TableLayout.IdKind.class).ifPresent(layout::idKind);
        section.find("aggregate-id-kind", TableLayout.IdKind.class).ifPresent(layout::aggregateIdKind);
        section.find("payload-kind", TableLayout.PayloadKind.class).ifPresent(layout::payloadKind);
        section.findSection("state").ifPresent(state -> layout.state(state(state)));
        section.find("published", TableLayout.Published.class).ifPresent(layout::published);
        section.findText("times-in").map(ZoneId::of).ifPresent(layout::timesIn);
        section.findText("aggregate-type").ifPresent(layout::aggregateType);
        section.find("max-attempts", Integer.class).ifPresent(layout::maxAttempts);
        return layout.fromFile().build();
    }

    private static TableLayoutBuilder begin(Section section) {
        Optional<TableLayout> preset = section.findText("preset").map(TableLayout::preset);
        String table = section.findText("table")
                .or(() -> preset.map(TableLayout::table))
                .orElseThrow(() -> new IllegalArgumentException(
                        "the layout names neither a preset nor a table: give one of them"));
        TableLayoutBuilder layout = preset.map(TableLayout::change).orElseGet(() -> TableLayout.of(table));
        return section.findText("schema")
                .map(schema -> layout.table(schema, table))
                .orElseGet(() -> layout.table(table));
    }

    private static TableState state(Section state) {
        return switch (state.get("by", StateBy.class)) {
            case FLAG -> new TableState.Flag();
            case PUBLISHED_TIME -> new TableState.PublishedTime();
            case WORDS -> {
                List<String> missing = List.of("pending", "published").stream()
                        .filter(key -> state.findText(key).isEmpty())
                        .toList();
                if (!missing.isEmpty()) {
                    throw new IllegalArgumentException(
                            "state.by is words, but these are missing: state." + String.join(", state.", missing));
                }
                yield new TableState.Words(state.text("pending"), state.text("published"), state.findText("dead"));
            }
        };
    }
}
