package dev.waybill.server.cli;

import dev.waybill.postgres.PostgresJournal;
import dev.waybill.server.config.Installation;
import dev.waybill.server.secrets.Secrets;
import dev.waybill.table.TableStore;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Which stores a command is about: those of a configuration file, or one by its URL. */
final class StoreChoice {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description =
                    "the configuration of waybill run; else the environment variable " + Surroundings.CONFIGURATION)
    private @Nullable Path file;

    @Option(names = "--store", paramLabel = "NAME", description = "one store of the configuration, instead of all")
    private @Nullable String store;

    @ArgGroup(exclusive = false, heading = "%nOr one store without a configuration:%n")
    private @Nullable StoreOptions database;

    @ArgGroup(exclusive = false)
    private @Nullable LayoutOptions layout;

    Stores open(Surroundings surroundings) {
        if (database != null) {
            if (file != null || store != null) {
                throw CommandEndedException.usage("Give --config with --store, or --url, and not both.");
            }
            return one(database, surroundings.secrets());
        }
        return Stores.of(installation(surroundings), Optional.ofNullable(store));
    }

    Installation installation(Surroundings surroundings) {
        if (layout != null) {
            throw CommandEndedException.usage("--layout goes with --url; in a configuration the store has its layout.");
        }
        Path read = Optional.ofNullable(file)
                .or(() -> surroundings.configuration().map(Path::of))
                .orElseThrow(() -> CommandEndedException.usage(
                        "Which store? Give --config FILE, or --url JDBC-URL for one store without a configuration."));
        return Installation.read(read, surroundings.secrets());
    }

    private Stores one(StoreOptions given, Secrets secrets) {
        if (layout != null) {
            TableStore table = TableStore.on(given.dataSource(secrets), layout.layout());
            return Stores.one(given.name(), table.admin(), Optional.of(table.replays()));
        }
        PostgresJournal journal = PostgresJournal.on(given.dataSource(secrets));
        return Stores.one(given.name(), journal.admin(), Optional.of(journal.replays()));
    }
}
