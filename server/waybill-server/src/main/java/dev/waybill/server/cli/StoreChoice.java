package dev.waybill.server.cli;

import dev.waybill.postgres.PostgresJournal;
import dev.waybill.server.secrets.Secrets;
import dev.waybill.table.TableStore;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Selects the stores a command works on: those of a configuration file, or one by its URL. */
final class StoreChoice extends ConfigurationChoice {
    @Option(names = "--store", paramLabel = "NAME", description = "only this store of the configuration")
    private @Nullable String store;

    @ArgGroup(exclusive = false, heading = "%nOr one store without a configuration:%n")
    private @Nullable StoreOptions database;

    @ArgGroup(exclusive = false)
    private @Nullable LayoutOptions layout;

    Stores open(Console console) {
        if (database != null) {
            if (namesFile() || store != null) {
                throw CommandEndedException.usage("Give either --config with --store, or --url.");
            }
            return one(database, console.context().secrets());
        }
        if (layout != null) {
            throw CommandEndedException.usage("--layout goes with --url; in a configuration the store has its layout.");
        }
        return Stores.of(
                installation(
                        console,
                        "No store was given: use --config FILE, or --url JDBC-URL for one store without a configuration."),
                Optional.ofNullable(store));
    }

    private Stores one(StoreOptions given, Secrets secrets) {
        if (layout != null) {
            TableStore table = TableStore.on(given.dataSource(secrets), layout.layout());
            return Stores.one(new Stores.Named(
                    given.name(), table.admin(), Optional.of(table.replays()), Set.of(), table.processes()));
        }
        PostgresJournal journal = PostgresJournal.on(given.dataSource(secrets));
        return Stores.one(new Stores.Named(
                given.name(), journal.admin(), Optional.of(journal.replays()), Set.of(), journal.processes()));
    }
}
