package dev.waybill.spring.boot.store;

import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableLayoutBuilder;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.spring.boot.properties.LayoutProperties;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The layout of an outbox table, from its properties. */
public final class ConfiguredLayout {
    private ConfiguredLayout() {}

    /**
     * @param properties null for Waybill's own table
     * @throws IllegalArgumentException if it cannot be used; the message says why
     */
    public static TableLayout of(@Nullable LayoutProperties properties) {
        if (properties == null) {
            return TableLayout.waybill();
        }
        TableLayoutBuilder layout = begin(properties);
        properties.columns().forEach(layout::column);
        Optional.ofNullable(properties.idKind()).ifPresent(layout::idKind);
        Optional.ofNullable(properties.aggregateIdKind()).ifPresent(layout::aggregateIdKind);
        Optional.ofNullable(properties.payloadKind()).ifPresent(layout::payloadKind);
        Optional.ofNullable(properties.state()).map(ConfiguredLayout::state).ifPresent(layout::state);
        Optional.ofNullable(properties.published()).ifPresent(layout::published);
        Optional.ofNullable(properties.timesIn()).ifPresent(layout::timesIn);
        Optional.ofNullable(properties.aggregateType()).ifPresent(layout::aggregateType);
        Optional.ofNullable(properties.maxAttempts()).ifPresent(layout::maxAttempts);
        return layout.fromFile().build();
    }

    private static TableLayoutBuilder begin(LayoutProperties properties) {
        Optional<TableLayout> preset = Optional.ofNullable(properties.preset()).map(TableLayout::preset);
        String table = Optional.ofNullable(properties.table())
                .or(() -> preset.map(TableLayout::table))
                .orElseThrow(() -> new IllegalArgumentException(
                        "the layout names neither a preset nor a table: give one of them"));
        TableLayoutBuilder layout = preset.map(TableLayout::change).orElseGet(() -> TableLayout.of(table));
        return properties.schema() == null ? layout.table(table) : layout.table(properties.schema(), table);
    }

    private static TableState state(LayoutProperties.State state) {
        if (state.by() == null) {
            throw new IllegalArgumentException(
                    "the layout's state does not say by what: set state.by to flag, words or published-time");
        }
        return switch (state.by()) {
            case FLAG -> new TableState.Flag();
            case PUBLISHED_TIME -> new TableState.PublishedTime();
            case WORDS -> {
                if (state.pending() == null || state.published() == null) {
                    throw new IllegalArgumentException("state.by is words: set both state.pending and state.published");
                }
                yield new TableState.Words(state.pending(), state.published(), Optional.ofNullable(state.dead()));
            }
        };
    }
}
