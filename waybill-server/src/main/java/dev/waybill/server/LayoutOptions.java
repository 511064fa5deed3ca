package dev.waybill.server;

import dev.waybill.jdbc.TableDialect;
import dev.waybill.jdbc.TableLayout;
import dev.waybill.jdbc.TableLayoutBuilder;
import dev.waybill.jdbc.TableSchema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which outbox table a command is about. */
final class LayoutOptions {
    @Option(
            names = "--layout",
            required = true,
            paramLabel = "NAME",
            description = "an outbox table instead of the journal: polyshop, orders, pubsub, notifications or waybill")
    @SuppressWarnings("NullAway.Init") // picocli sets required options before it runs the command
    private String name;

    @Option(names = "--table", paramLabel = "NAME", description = "what the table is called, if not as in the layout")
    private @Nullable String table;

    @Option(names = "--schema", paramLabel = "NAME", description = "the schema it is in, if not the connection's")
    private @Nullable String schema;

    @Option(
            names = "--database",
            paramLabel = "KIND",
            defaultValue = "POSTGRESQL",
            description = "what to print for: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE} unless said")
    private TableDialect database = TableDialect.POSTGRESQL;

    @Option(names = "--existing", description = "print only the tables beside a table that is there already")
    private boolean existing;

    TableLayout layout() {
        TableLayout preset = TableLayout.preset(name);
        TableLayoutBuilder changed = preset.change();
        String called = table == null ? preset.table() : table;
        return (schema == null ? changed.table(called) : changed.table(schema, called)).build();
    }

    String script() {
        return existing ? TableSchema.sideScript(layout(), database) : TableSchema.script(layout(), database);
    }
}
