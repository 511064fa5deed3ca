package dev.waybill.server.config;

import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.WaitFor;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** The journal on PostgreSQL. */
final class JournalType implements StoreType {
    @Override
    public String name() {
        return "postgres-journal";
    }

    @Override
    public boolean savesWindows() {
        return true;
    }

    @Override
    public boolean takesSeveralRelays() {
        return true;
    }

    @Override
    public Optional<StoreDefaults> relayDefaults(Section section) {
        return Optional.empty();
    }

    @Override
    public Supplier<OpenStore> read(Section section) {
        if (!section.text("url").startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    "the journal needs PostgreSQL, but the url does not begin with jdbc:postgresql: (on another database"
                            + " use type: table with layout: waybill)");
        }
        DataSource dataSource = JdbcAddress.of(section).dataSource();
        Section save = section.section("save");
        JournalOptions anywhere = JournalOptions.defaults()
                .saveEvery(save.count("events"))
                .saveWithin(save.duration("within"))
                .start(section.get("start", JournalOptions.Start.class))
                .waitFor(new WaitFor(section.get("wait-for", WaitFor.Stage.class), section.list("standbys")));
        JournalOptions options =
                section.findText("environment").map(anywhere::environment).orElse(anywhere);
        PostgresJournal journal = PostgresJournal.on(dataSource, options);
        Schema schema = Schema.on(
                dataSource,
                connection -> JournalSchema.create(connection) == 0
                        ? "the schema waybill is up to date"
                        : "the schema waybill is ready");
        return () -> new OpenStore(journal, journal.admin(), Optional.of(journal.replays()), schema, () -> {});
    }
}
