package dev.waybill.bench;

import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.relay.TransactionSize;
import dev.waybill.spi.Destination;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** The relay on the journal. Each drain has a relay name of its own, so that it starts with the oldest event. */
final class JournalDrain extends RelayDrain {
    private final PostgresJournal journal;
    private final List<Observation> observations;
    private final boolean exactlyOnce;
    private final List<Observation.Observer> observing = new ArrayList<>();
    private int runs;

    JournalDrain(DataSource dataSource, Destination destination, Drained drained) {
        this(PostgresJournal.on(dataSource), destination, drained, List.of());
    }

    JournalDrain(PostgresJournal journal, Destination destination, Drained drained, List<Observation> observations) {
        this(journal, destination, drained, observations, false);
    }

    private JournalDrain(
            PostgresJournal journal,
            Destination destination,
            Drained drained,
            List<Observation> observations,
            boolean exactlyOnce) {
        super(journal, destination, drained);
        this.journal = journal;
        this.observations = observations;
        this.exactlyOnce = exactlyOnce;
    }

    static JournalDrain exactlyOnce(PostgresJournal journal, Destination destination, Drained drained) {
        return new JournalDrain(journal, destination, drained, List.of(), true);
    }

    @Override
    public String name() {
        if (exactlyOnce) {
            return "exactly once";
        }
        return observations.isEmpty() ? "journal" : "with " + names(observations, ", ");
    }

    static String names(List<Observation> observations, String between) {
        return observations.stream().map(Observation::name).collect(Collectors.joining(between));
    }

    @Override
    String relayName() {
        return "drain-" + (exactlyOnce ? "once-" : "") + (observations.isEmpty() ? "" : names(observations, "-") + "-") + ++runs;
    }

    @Override
    Relay start(RelayPlan plan) {
        Function<RelayPlan, Relay> starting = RelayPlan::start;
        for (Observation.Observer observer : observing) {
            Function<RelayPlan, Relay> inner = starting;
            starting = observed -> observer.start(observed, inner);
        }
        return starting.apply(exactlyOnce ? plan.exactlyOnce(TransactionSize.defaults()) : plan);
    }

    /** Reading does not change the journal. */
    @Override
    public void prepare() {
        observations.forEach(observation -> observing.add(observation.begin(journal.admin())));
    }

    @Override
    public void putAway() {
        super.putAway();
        observing.forEach(Observation.Observer::close);
        observing.clear();
    }
}
