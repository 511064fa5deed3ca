package dev.waybill.server.cli;

import dev.waybill.admin.Finding;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.kernel.SqlRemedy;
import dev.waybill.jdbc.kernel.StoreConnection;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.server.config.Installation;
import dev.waybill.server.secrets.Secrets;
import dev.waybill.spi.StoreException;
import dev.waybill.table.ProcessedEvents;
import dev.waybill.table.TableOptions;
import dev.waybill.table.TableSchema;
import dev.waybill.table.TableStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        description = "Creates the journal's schema \"waybill\". With --layout, creates an outbox table and"
                + " Waybill's side tables; with --config, everything that the configured stores need. Does"
                + " not change your tables, and can be run again.")
final class InitCommand implements Callable<Integer> {
    private static final String DATABASE = "--database";
    private static final String EXISTING = "--existing";

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @ArgGroup
    private Where where = new Where();

    @ArgGroup(exclusive = false)
    private @Nullable LayoutOptions layout;

    @Option(
            names = DATABASE,
            paramLabel = "KIND",
            defaultValue = "POSTGRESQL",
            description =
                    "with --layout and --print: the database: ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}")
    private TableDialect database = TableDialect.POSTGRESQL;

    @Option(names = EXISTING, description = "with --layout and --print: only the side tables of an existing table")
    private boolean existing;

    @Option(names = "--producer", paramLabel = "ROLE", description = "role that may only append")
    private @Nullable String producer;

    @Option(names = "--relay", paramLabel = "ROLE", description = "role that may run relays")
    private @Nullable String relay;

    @Option(
            names = "--viewer",
            paramLabel = "ROLE",
            description = "role that may read everything except payloads, headers and keys")
    private @Nullable String viewer;

    @Option(names = "--operator", paramLabel = "ROLE", description = "role that may also requeue, discard and pause")
    private @Nullable String operator;

    @Option(
            names = "--revealer",
            paramLabel = "ROLE",
            description = "role that may also show payloads, which is audited")
    private @Nullable String revealer;

    static final class Where {
        @Option(names = "--print", description = "print the SQL instead, for Flyway, Liquibase or psql")
        private boolean print;

        @ArgGroup(exclusive = false)
        private @Nullable StoreOptions store;

        @ArgGroup(exclusive = false)
        private @Nullable Configured configured;
    }

    /** Stores of a configuration file. */
    static final class Configured {
        @Option(
                names = {"-c", "--config"},
                paramLabel = "FILE",
                description = "configuration file: creates what each of its stores needs, including MongoDB; default:"
                        + " the environment variable " + CommandContext.CONFIGURATION)
        private @Nullable Path file;

        @Option(names = "--store", paramLabel = "NAME", description = "only this store of the configuration")
        private @Nullable String store;
    }

    @Override
    public Integer call() {
        DatabaseRoles roles = new DatabaseRoles(
                Optional.ofNullable(producer),
                Optional.ofNullable(relay),
                Optional.ofNullable(viewer),
                Optional.ofNullable(operator),
                Optional.ofNullable(revealer));
        Printer out = Printer.out(spec);
        requireEffect();
        if (where.store == null && !where.print) {
            initConfigured(roles, out);
            return ExitCode.OK.number();
        }
        if (layout != null) {
            initLayout(layout, roles, out);
            return ExitCode.OK.number();
        }
        if (where.print || where.store == null) {
            out.script(JournalSchema.script());
            out.script(JournalSchema.grants(roles));
            return ExitCode.OK.number();
        }
        initJournal(where.store, roles, out);
        return ExitCode.OK.number();
    }

    private void initJournal(StoreOptions store, DatabaseRoles roles, Printer out) {
        try (Connection connection = store.dataSource(secrets()).getConnection()) {
            int applied = JournalSchema.create(connection);
            JournalSchema.grant(connection, roles);
            out.line(applied == 0 ? "init: the schema waybill is up to date" : "init: the schema waybill is ready");
        } catch (SQLException e) {
            throw failed(store.name(), e);
        }
        foretell("", PostgresJournal.on(store.dataSource(secrets())).admin(), out);
    }

    /** Prints the problems that the doctor finds, such as those with which no relay starts. */
    private void foretell(String about, StoreAdmin admin, Printer out) {
        admin.examine().stream()
                .filter(finding -> finding.severity() == Finding.Severity.PROBLEM)
                .map(finding -> "init: " + about + "PROBLEM, " + finding.subject() + ": " + finding.what() + ". "
                        + finding.remedy())
                .map(secrets()::hide)
                .forEach(out::line);
    }

    private static StoreException failed(String store, SQLException e) {
        return StoreConnection.failed("init was creating what store " + store + " needs", e, SqlRemedy.ofCreating(e));
    }

    /** Refuses options that would change nothing. */
    private void requireEffect() {
        boolean namesDatabase = spec.commandLine().getParseResult().hasMatchedOption(DATABASE);
        if ((existing || namesDatabase) && (layout == null || !where.print)) {
            throw CommandEndedException.usage((existing ? EXISTING : DATABASE)
                    + " goes with --layout and --print. A table in a database is looked at there: without --print, init"
                    + " creates only what is missing.");
        }
    }

    private void initConfigured(DatabaseRoles roles, Printer out) {
        Optional<Configured> configured = Optional.ofNullable(where.configured);
        Path file = configured
                .flatMap(given -> Optional.ofNullable(given.file))
                .or(() -> WaybillCommand.contextOf(spec).configuration().map(Path::of))
                .orElseThrow(
                        () -> CommandEndedException.usage("No store was given: use --url JDBC-URL, --config FILE or the"
                                + " environment variable " + CommandContext.CONFIGURATION + ", or --print."));
        if (layout != null || !roles.equals(DatabaseRoles.NONE)) {
            throw CommandEndedException.usage(
                    "--layout and roles go with --url or --print; in a configuration the store has its layout.");
        }
        try (Installation installation = Installation.read(file, secrets())) {
            Collection<String> stores = configured
                    .flatMap(given -> Optional.ofNullable(given.store))
                    .<Collection<String>>map(List::of)
                    .orElseGet(installation::stores);
            for (String store : stores) {
                out.line("init: store " + store + ": " + init(installation, store));
                foretell("store " + store + ": ", installation.admin(store), out);
            }
        }
    }

    private static String init(Installation installation, String store) {
        try {
            return installation.init(store);
        } catch (SQLException e) {
            throw failed(store, e);
        }
    }

    private void initLayout(LayoutOptions options, DatabaseRoles roles, Printer out) {
        if (where.print || where.store == null) {
            printLayout(options, roles, out);
            return;
        }
        TableLayout table = options.layout();
        try (Connection connection = where.store.dataSource(secrets()).getConnection()) {
            out.line("init: " + TableSchema.create(connection, table).inWords(table));
            if (!roles.equals(DatabaseRoles.NONE)) {
                TableSchema.grant(connection, table, roles);
            }
            if (options.guard().isPresent()) {
                ProcessedEvents.create(connection, table, options.guard().get());
                ProcessedEvents.grant(connection, table, options.guard().get(), roles);
                out.line("init: the guard " + options.guard().get() + " is there");
            }
        } catch (SQLException e) {
            throw failed(where.store.name(), e);
        }
        TableOptions relayed =
                options.guard().map(TableOptions.defaults()::guard).orElse(TableOptions.defaults());
        foretell(
                "",
                TableStore.on(where.store.dataSource(secrets()), table, relayed).admin(),
                out);
    }

    private void printLayout(LayoutOptions options, DatabaseRoles roles, Printer out) {
        TableLayout table = options.layout();
        out.script(script(table));
        options.guard().ifPresent(guard -> out.script("\n" + ProcessedEvents.script(table, database, guard)));
        if (!roles.equals(DatabaseRoles.NONE)) {
            out.script(TableSchema.grants(table, database, roles));
            options.guard().ifPresent(guard -> out.script(ProcessedEvents.grants(table, database, guard, roles)));
        }
    }

    private Secrets secrets() {
        return WaybillCommand.contextOf(spec).secrets();
    }

    private String script(TableLayout table) {
        return existing ? TableSchema.sideScript(table, database) : TableSchema.script(table, database);
    }
}
