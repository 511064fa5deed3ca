package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.Seen;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes, here groups in one process, share relays of the same names. */
@Timeout(120)
class RelayGroupTest {
    private static final List<String> NAMES = List.of("one", "two", "three", "four");
    private static final Duration LEASE = Duration.ofSeconds(1);

    private final InMemoryOutbox outbox = new InMemoryOutbox();
    private final List<String> appended = new ArrayList<>();
    private final List<Running> running = new ArrayList<>();

    /** A group with all relays, each with its own broker. */
    private final class Running implements AutoCloseable {
        private final RelayGroup group = RelayGroup.ofThisProcess();
        private final Map<String, InMemoryDestination> brokers = new LinkedHashMap<>();
        private final Map<String, Relay> relays = new LinkedHashMap<>();

        Running() {
            for (String name : NAMES) {
                InMemoryDestination broker = new InMemoryDestination();
                brokers.put(name, broker);
                relays.put(name, plan(name, broker).group(group).start());
            }
            running.add(this);
        }

        long held() {
            return relays.values().stream()
                    .filter(relay -> relay.statistics().state().phase() == Phase.RUNNING)
                    .count();
        }

        @Override
        public void close() {
            group.close();
            relays.values().forEach(Relay::close);
        }
    }

    private RelayPlan plan(String name, InMemoryDestination broker) {
        return Relay.named(name)
                .from(outbox.store())
                .to(broker)
                .options(RelayOptions.defaults().lease(LEASE));
    }

    @AfterEach
    void end() {
        running.forEach(Running::close);
    }

    private void append() {
        Event event = Event.of("placed").aggregate("Order", "one").payload(Payload.json("{}"));
        try (InMemoryTransaction tx = outbox.begin()) {
            outbox.append(tx, event);
            tx.commit();
        }
        appended.add(event.id());
    }

    @Test
    void a_process_that_comes_later_gets_its_share_and_every_event_comes_once_and_in_order() {
        Running first = new Running();
        Await.until("the first has all", () -> first.held() == NAMES.size());

        Running second = new Running();
        Await.until(() -> first.held() + " and " + second.held(), () -> {
            append();
            return first.held() == 2 && second.held() == 2;
        });
        append();

        for (String name : NAMES) {
            Await.until("all by " + name, () -> delivered(name).size() >= appended.size());
            assertThat(delivered(name)).as(name).isEqualTo(appended);
        }
    }

    /** A relay moves once, so what the first has sent comes first. */
    private List<String> delivered(String name) {
        return running.stream()
                .flatMap(process -> process.brokers.get(name).delivered().stream())
                .map(OutboundMessage::event)
                .map(event -> event.id().toString())
                .toList();
    }

    @Test
    void a_process_that_ends_leaves_the_register_and_its_relays_run_elsewhere() {
        Running first = new Running();
        Running second = new Running();
        Await.until("both share", () -> first.held() == 2 && second.held() == 2);

        second.close();
        Await.until("the first has all", () -> first.held() == NAMES.size());
        Await.until(
                "the other is gone",
                () -> registered().equals(List.of(first.group.process().value())));
    }

    @Test
    void a_relay_that_is_handed_over_leaves_no_connection_to_its_destination_behind() {
        AtomicInteger ended = new AtomicInteger();
        RelayGroup group = RelayGroup.ofThisProcess();
        List<Relay> first = NAMES.stream()
                .map(name -> Relay.named(name)
                        .from(outbox.store())
                        .to(new CountsAborts(new InMemoryDestination(), ended))
                        .options(RelayOptions.defaults().lease(LEASE))
                        .group(group)
                        .start())
                .toList();
        try {
            Await.until(
                    "the first has all",
                    () -> first.stream()
                            .allMatch(relay -> relay.statistics().state().phase() == Phase.RUNNING));
            assertThat(ended).hasValue(0);

            Running second = new Running();
            Await.until("both share", () -> second.held() == 2);
            Await.until(() -> ended + " connections ended", () -> ended.get() == 2);
        } finally {
            group.close();
            first.forEach(Relay::close);
        }
    }

    private record CountsAborts(Destination destination, AtomicInteger aborts) implements Destination {
        @Override
        public Guarantees guarantees() {
            return destination.guarantees();
        }

        @Override
        public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
            return destination.publish(batch, seen);
        }

        @Override
        public void abort() {
            aborts.incrementAndGet();
            destination.abort();
        }

        @Override
        public void close() {
            destination.close();
        }
    }

    private List<String> registered() {
        return outbox.store().processes().map(ProcessRegister::processes).stream()
                .flatMap(List::stream)
                .map(entry -> entry.process().value())
                .toList();
    }

    @Test
    void a_failing_relay_is_reported_with_what_others_may_read_of_its_problem() {
        InMemoryDestination broker = new InMemoryDestination();
        append();
        broker.goAway();
        try (RelayGroup group = RelayGroup.ofThisProcess(text -> text.replace("memory", "[hidden]"));
                Relay relay = plan("one", broker).group(group).start()) {
            Await.until(
                    () -> reports().toString(),
                    () -> reports().stream()
                            .anyMatch(report -> report.phase().equals("backing off")
                                    && report.failingFor().isPresent()
                                    && report.problem().orElse("").contains("[hidden]")));
            assertThat(reports())
                    .singleElement()
                    .satisfies(report -> assertThat(report.process()).isEqualTo(group.process()));

            broker.comeBack();
            Await.until(
                    () -> reports().toString(),
                    () -> reports().stream()
                            .allMatch(report -> report.phase().equals("running")
                                    && report.problem().isEmpty()));
            assertThat(relay.isAlive()).isTrue();
        }
        Await.until("the report is gone", () -> reports().isEmpty());
    }

    private List<ProcessRegister.RelayReport> reports() {
        return outbox.store().processes().orElseThrow().reports();
    }

    @Test
    void a_name_can_be_in_a_group_once() {
        Running first = new Running();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan("one", new InMemoryDestination())
                        .group(first.group)
                        .start())
                .withMessage(
                        "Relay one cannot join its group: another relay of this name is in it. Use each name once.");
        assertThat(Stream.of("one").map(first.relays::get)).allMatch(Relay::isAlive);
    }
}
