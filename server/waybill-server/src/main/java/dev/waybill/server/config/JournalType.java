package dev.waybill.server.config;

import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.WaitFor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** The journal on PostgreSQL. */
final class JournalType implements StoreType {
    private static final JournalOptions DEFAULT = JournalOptions.defaults();

    private static final Key<JournalOptions.Start> START = Key.standard(
            "start",
            Scalars.choice(JournalOptions.Start.class),
            Scalars.written(DEFAULT.start()),
            "Where a relay that the journal does not know yet begins: with the oldest event there is, or with what is"
                    + " committed from now on.");
    private static final Key<WaitFor.Stage> WAIT_FOR = Key.standard(
            "wait-for",
            Scalars.choice(WaitFor.Stage.class),
            Scalars.written(DEFAULT.waitFor().stage()),
            "Publish an event when its commit is visible, when it is on this server's disk (also when its application commits"
                    + " with `synchronous_commit = off`), or when it is on a standby's disk, so that a promotion undoes nothing"
                    + " that was published. `replica` needs the role pg_read_all_stats; while no standby is connected,"
                    + " relays wait.");
    private static final Key<List<String>> STANDBYS = Key.optional(
            "standbys",
            new Items<>("names", Scalars.TEXT),
            "With `wait-for: replica`: each of these standbys must have the commit, by its application_name. Without it any"
                    + " one standby is enough.");
    private static final Key<String> ENVIRONMENT = Key.optional(
            "environment",
            Scalars.TEXT,
            "The environment this database belongs to, such as production. The first relay binds the database to it; from"
                    + " then on relays configured for another environment refuse to read it, so that a copy of production"
                    + " does not publish for staging. Without it nothing is checked.");
    private static final Key<Long> SAVE_EVENTS = Key.standard(
            "events", Scalars.count(), DEFAULT.saveEvery(), "The position is saved at least every so many events …");
    private static final Key<Duration> SAVE_WITHIN = Key.standard(
            "within",
            Scalars.DURATION,
            Durations.written(DEFAULT.saveWithin()),
            "… or after so long: what a crash may publish again.");
    private static final Key<Section> SAVE =
            Key.optional("save", Block.of(SAVE_EVENTS, SAVE_WITHIN), "When positions are saved.");
    private static final Block BLOCK =
            Block.of(JdbcKeys.URL, JdbcKeys.USER, JdbcKeys.PASSWORD, START, SAVE, WAIT_FOR, STANDBYS, ENVIRONMENT);

    @Override
    public String name() {
        return "postgres-journal";
    }

    @Override
    public String doc() {
        return "The journal of PostgreSQL 14 and later, as `waybill init` creates it. Any number of relays may read it.";
    }

    @Override
    public Block block() {
        return BLOCK;
    }

    @Override
    public boolean takesSeveralRelays() {
        return true;
    }

    @Override
    public Supplier<OpenStore> read(Section section) {
        if (!section.get(JdbcKeys.URL).startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    "the journal is on PostgreSQL, and the url does not begin with jdbc:postgresql: (on another database"
                            + " use type: table with layout: waybill)");
        }
        DataSource dataSource = JdbcKeys.dataSource(section);
        Section save = section.get(SAVE);
        JournalOptions anywhere = DEFAULT.saveEvery(save.count(SAVE_EVENTS))
                .saveWithin(save.get(SAVE_WITHIN))
                .start(section.get(START))
                .waitFor(new WaitFor(
                        section.get(WAIT_FOR), section.find(STANDBYS).orElse(List.of())));
        JournalOptions options =
                section.find(ENVIRONMENT).map(anywhere::environment).orElse(anywhere);
        PostgresJournal journal = PostgresJournal.on(dataSource, options);
        Schema schema = Schema.on(
                dataSource,
                connection -> JournalSchema.create(connection) == 0
                        ? "the schema waybill is up to date"
                        : "the schema waybill is ready");
        return () -> new OpenStore(journal, journal.admin(), Optional.of(journal.replays()), schema, () -> {});
    }
}
