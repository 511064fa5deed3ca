package dev.waybill.trials;

import dev.waybill.format.Format;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The relay of a trial, in a form that can be passed to another process.
 *
 * @param topics prefix of the names of its topics
 * @param flaw none, unless the checker itself is tested
 * @param exactlyOnce whether it publishes in transactions
 */
record RelaySettings(
        String url, String kafka, String relay, String topics, Times times, Flaw flaw, boolean exactlyOnce) {

    /**
     * @param save how long a position may stay unsaved
     * @param delivery how long Kafka may take to acknowledge
     */
    record Times(Duration lease, Duration save, Duration delivery) {}

    RelaySettings lease(Duration lease) {
        return with(new Times(lease, times.save, times.delivery));
    }

    RelaySettings save(Duration save) {
        return with(new Times(times.lease, save, times.delivery));
    }

    RelaySettings withDelivery(Duration delivery) {
        return with(new Times(times.lease, times.save, delivery));
    }

    private RelaySettings with(Times newTimes) {
        return new RelaySettings(url, kafka, relay, topics, newTimes, flaw, exactlyOnce);
    }

    RelaySettings withFlaw(Flaw newFlaw) {
        return new RelaySettings(url, kafka, relay, topics, times, newFlaw, exactlyOnce);
    }

    RelaySettings exactlyOnce(boolean once) {
        return new RelaySettings(url, kafka, relay, topics, times, flaw, once);
    }

    List<String> arguments() {
        return List.of(
                url,
                kafka,
                relay,
                topics,
                times.lease.toString(),
                times.save.toString(),
                times.delivery.toString(),
                flaw.name(),
                Boolean.toString(exactlyOnce));
    }

    static RelaySettings of(String... arguments) {
        Times times =
                new Times(Duration.parse(arguments[4]), Duration.parse(arguments[5]), Duration.parse(arguments[6]));
        return new RelaySettings(
                arguments[0],
                arguments[1],
                arguments[2],
                arguments[3],
                times,
                Flaw.valueOf(arguments[7]),
                Boolean.parseBoolean(arguments[8]));
    }

    Destination destination() {
        return flaw.in(KafkaDestination.of(
                KafkaOptions.of(Map.of("bootstrap.servers", kafka)).deliveryTimeout(times.delivery)));
    }

    RelayPlan plan(Destination destination) {
        Stamp stamp = new Stamp();
        JournalOptions journal = JournalOptions.defaults().saveWithin(times.save);
        RelayPlan plan = Relay.named(relay)
                .from(stamp.on(PostgresJournal.on(dataSource(), journal)))
                .to(destination)
                .route(Route.template(topics + ".{aggregateType}"))
                .format(stamp.on(Format.envelope("trial")))
                .options(RelayOptions.defaults().lease(times.lease));
        return exactlyOnce ? plan.exactlyOnce() : plan;
    }

    private DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }
}
