package dev.waybill.bench.drain;

import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.spi.Destination;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** The relay on the journal. Each drain has a relay name of its own, so that it starts with the oldest event. */
final class JournalDrain extends RelayDrain {
    private final PostgresJournal journal;
    private final Observed observed;
    private final boolean exactlyOnce;
    private final List<Observation.Observer> observing = new ArrayList<>();
    private int runs;

    /**
     * @param observations what observes the relay
     * @param url of the database, for those that connect by themselves
     * @param kafka bootstrap servers, for the same
     */
    record Observed(List<Observation> observations, String url, String kafka) {
        static final Observed NOT = new Observed(List.of(), "", "");
    }

    JournalDrain(DataSource dataSource, Destination destination, Drained drained) {
        this(PostgresJournal.on(dataSource), destination, drained, Observed.NOT);
    }

    JournalDrain(PostgresJournal journal, Destination destination, Drained drained, Observed observed) {
        this(journal, destination, drained, observed, false);
    }

    private JournalDrain(
            PostgresJournal journal, Destination destination, Drained drained, Observed observed, boolean exactlyOnce) {
        super(journal, destination, drained);
        this.journal = journal;
        this.observed = observed;
        this.exactlyOnce = exactlyOnce;
    }

    static JournalDrain exactlyOnce(PostgresJournal journal, Destination destination, Drained drained) {
        return new JournalDrain(journal, destination, drained, Observed.NOT, true);
    }

    private List<Observation> observations() {
        return observed.observations();
    }

    @Override
    public String name() {
        if (exactlyOnce) {
            return "exactly once";
        }
        return observations().isEmpty() ? "journal" : "with " + names(observations(), ", ");
    }

    static String names(List<Observation> observations, String between) {
        return observations.stream().map(Observation::name).collect(Collectors.joining(between));
    }

    @Override
    String relayName() {
        String mode = exactlyOnce ? "once-" : "";
        String observers = observations().isEmpty() ? "" : names(observations(), "-") + "-";
        return "drain-" + mode + observers + runs;
    }

    @Override
    Relay start(RelayPlan plan) {
        Function<RelayPlan, Relay> starting = RelayPlan::start;
        for (Observation.Observer observer : observing) {
            Function<RelayPlan, Relay> inner = starting;
            starting = next -> observer.start(next, inner);
        }
        return starting.apply(exactlyOnce ? plan.exactlyOnce() : plan);
    }

    /** Reading does not change the journal. */
    @Override
    public void prepare() {
        runs++;
        Observation.Target target = new Observation.Target(observed.url(), observed.kafka(), relayName());
        observations().forEach(each -> observing.add(each.begin(journal.admin(), target)));
    }

    @Override
    public void putAway() {
        super.putAway();
        observing.forEach(Observation.Observer::close);
        observing.clear();
    }
}
