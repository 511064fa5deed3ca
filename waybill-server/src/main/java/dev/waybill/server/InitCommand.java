package dev.waybill.server;

import dev.waybill.jdbc.JournalRoles;
import dev.waybill.jdbc.JournalSchema;
import dev.waybill.jdbc.TableLayout;
import dev.waybill.jdbc.TableSchema;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        description =
                "Creates the schema waybill of the journal, or, with --layout, an outbox table and the tables that"
                        + " Waybill keeps beside it. A table that is there is left as it is; run again, it changes nothing.")
final class InitCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private Where where;

    @ArgGroup(exclusive = false)
    private @Nullable LayoutOptions layout;

    @Option(names = "--producer", paramLabel = "ROLE", description = "a role that may append, and nothing else")
    private @Nullable String producer;

    @Option(names = "--relay", paramLabel = "ROLE", description = "a role that may run relays")
    private @Nullable String relay;

    @Option(names = "--viewer", paramLabel = "ROLE", description = "a role that may look at everything")
    private @Nullable String viewer;

    @Option(names = "--operator", paramLabel = "ROLE", description = "a role that may also requeue, discard and pause")
    private @Nullable String operator;

    static final class Where {
        @Option(names = "--print", description = "print the SQL instead, for Flyway, Liquibase or psql")
        private boolean print;

        @ArgGroup(exclusive = false)
        private @Nullable StoreOptions store;
    }

    @Override
    public Integer call() throws SQLException {
        JournalRoles roles = new JournalRoles(
                Optional.ofNullable(producer),
                Optional.ofNullable(relay),
                Optional.ofNullable(viewer),
                Optional.ofNullable(operator));
        PrintWriter out = spec.commandLine().getOut();
        if (layout != null) {
            initLayout(layout, roles, out);
            return 0;
        }
        if (where.print || where.store == null) {
            out.println(JournalSchema.script());
            out.println(JournalSchema.grants(roles));
            return 0;
        }
        try (Connection connection = where.store.dataSource().getConnection()) {
            int applied = JournalSchema.create(connection);
            JournalSchema.grant(connection, roles);
            out.println(applied == 0 ? "init: the schema waybill is up to date" : "init: the schema waybill is ready");
        }
        return 0;
    }

    private void initLayout(LayoutOptions options, JournalRoles roles, PrintWriter out) throws SQLException {
        if (!roles.equals(JournalRoles.NONE)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "Roles are for the journal. Of an outbox table you grant what is needed yourself: producers insert, and"
                            + " select the id; the relay selects, updates and deletes there and in the tables beside it.");
        }
        if (where.print || where.store == null) {
            out.println(options.script());
            return;
        }
        TableLayout table = options.layout();
        try (Connection connection = where.store.dataSource().getConnection()) {
            TableSchema.Created created = TableSchema.create(connection, table);
            out.println("init: the table " + table.tableName()
                    + (created.table() ? " is ready" : " was there, and fits the layout " + table.name())
                    + (created.sideTables()
                            ? "; the tables beside it are ready"
                            : "; the tables beside it were there"));
        }
    }
}
