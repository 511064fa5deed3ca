package dev.waybill.server.config;

import dev.waybill.jdbc.JournalOptions;
import dev.waybill.jdbc.JournalSchema;
import dev.waybill.jdbc.PostgresJournal;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** The journal on PostgreSQL. */
final class JournalType implements StoreType {
    private static final JournalOptions DEFAULT = JournalOptions.DEFAULT;

    private static final Key<JournalOptions.Start> START = Key.standard(
            "start",
            Scalars.choice(JournalOptions.Start.class),
            Scalars.written(DEFAULT.start()),
            "Where a relay that the journal does not know yet begins: with the oldest event there is, or with what is"
                    + " committed from now on.");
    private static final Key<Boolean> WAIT_FOR_FLUSH = Key.standard(
            "wait-for-flush",
            Scalars.FLAG,
            DEFAULT.waitForFlush(),
            "Publish an event only once its commit is on disk, also when its application commits with"
                    + " `synchronous_commit = off`.");
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
            Block.of(JdbcKeys.URL, JdbcKeys.USER, JdbcKeys.PASSWORD, START, SAVE, WAIT_FOR_FLUSH);

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
        JournalOptions saving = DEFAULT.withSaves(save.count(SAVE_EVENTS), save.get(SAVE_WITHIN))
                .startingAt(section.get(START));
        JournalOptions options = section.get(WAIT_FOR_FLUSH) ? saving.waitingForFlush() : saving;
        PostgresJournal journal = PostgresJournal.on(dataSource, options);
        Schema schema = Schema.on(
                dataSource,
                connection -> JournalSchema.create(connection) == 0
                        ? "the schema waybill is up to date"
                        : "the schema waybill is ready");
        return () -> new OpenStore(journal, journal.admin(), Optional.of(journal.replays()), schema, () -> {});
    }
}
