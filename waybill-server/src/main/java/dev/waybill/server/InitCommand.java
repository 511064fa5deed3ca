package dev.waybill.server;

import dev.waybill.jdbc.JournalRoles;
import dev.waybill.jdbc.JournalSchema;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
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
        description = "Creates the schema waybill, or brings it up to date; run again, it changes nothing.")
final class InitCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private Where where;

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
}
