package dev.waybill.server.cli;

import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableLayoutBuilder;
import dev.waybill.table.ProcessedEvents;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Selects an outbox table. */
final class LayoutOptions {
    @Option(
            names = "--layout",
            required = true,
            paramLabel = "NAME",
            description =
                    "an outbox table instead of the journal: polyshop, orders, pubsub, notifications, waybill or debezium")
    @SuppressWarnings("NullAway.Init") // picocli sets required options before it runs the command
    private String name;

    @Option(names = "--table", paramLabel = "NAME", description = "name of the table; default: as in the layout")
    private @Nullable String table;

    @Option(names = "--schema", paramLabel = "NAME", description = "schema of the table; default: the connection's")
    private @Nullable String schema;

    @Option(
            names = "--guard",
            arity = "0..1",
            fallbackValue = ProcessedEvents.TABLE,
            paramLabel = "TABLE",
            description = "guard: the table that records published events; default name: ${FALLBACK-VALUE}")
    private @Nullable String guard;

    /** The guard table to create beside the outbox table. */
    Optional<String> guard() {
        return Optional.ofNullable(guard);
    }

    TableLayout layout() {
        TableLayout preset = TableLayout.preset(name);
        TableLayoutBuilder changed = preset.change().fromFile();
        String called = table == null ? preset.table() : table;
        return (schema == null ? changed.table(called) : changed.table(schema, called)).build();
    }
}
