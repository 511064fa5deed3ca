package dev.waybill.inbox;

import dev.waybill.RetryPolicy;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.ManualClock;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.tck.memory.InMemoryTopic;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.slf4j.event.Level;

/** A consumer without threads: the test runs each step and sets the time. */
final class Scene {
    final ManualClock clock = new ManualClock();
    final InMemoryTopic topic = new InMemoryTopic("orders", clock);
    final InMemoryInbox inbox = new InMemoryInbox();
    final UnreliableTransactions transactions = new UnreliableTransactions(inbox);
    final InMemoryDestination deadLetters = new InMemoryDestination();
    final ConsumerStatistics statistics = new ConsumerStatistics();
    final KeyQueues queues = new KeyQueues();
    final SharedState shared = SharedState.at(clock, clock, Waits.DEFAULT, 8);
    /** The data of events whose effects were committed, in that order. */
    final List<String> effects = new ArrayList<>();

    /** What was logged about messages that were given up. */
    final List<String> errors = new ArrayList<>();

    /** All that was logged about messages. */
    final List<ProblemReport.Line> lines = new ArrayList<>();

    final ProblemReport givenUp = new ProblemReport("billing", clock, line -> {
        lines.add(line);
        if (line.level() == Level.ERROR) {
            errors.add(line.words());
        }
    });

    final ReceiveMessages<InMemoryInbox.Transaction> receiving;
    final HandleNext<InMemoryInbox.Transaction> handling;

    Scene(UnaryOperator<ConsumerPlan<InMemoryInbox.Transaction>> change) {
        this(MessageReader.raw(), change);
    }

    Scene(MessageReader reader, UnaryOperator<ConsumerPlan<InMemoryInbox.Transaction>> change) {
        ConsumerParts<InMemoryInbox.Transaction> parts = change.apply(
                        EventConsumer.named("billing", inbox, transactions)
                                .from(topic, reader)
                                .deadLettersTo(deadLetters)
                                .options(ConsumerOptions.defaults()
                                        .retry(new RetryPolicy(2, Duration.ofSeconds(1), 2, Duration.ofSeconds(10)))))
                .parts();
        this.receiving = new ReceiveMessages<>(parts, queues, statistics);
        this.handling = new HandleNext<>(parts, queues, statistics, shared, givenUp);
    }

    /** A handler that adds the event's data to the effects. */
    void note(InMemoryInbox.Transaction transaction, ReceivedEvent event) {
        transaction.onCommit(() -> effects.add(event.dataText()));
    }

    void send(String id, String key, String data) {
        send(id, key, "placed", data);
    }

    void send(String id, String key, String type, String data) {
        topic.send(key, data, header("event-id", id), header("event-type", type));
    }

    static Header header(String name, String value) {
        return new Header(name, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Receives messages, handles all that can be handled now, and acknowledges them. */
    void run() {
        receiving.runOnce(Duration.ZERO);
        while (handling.runOnce()) {
            receiving.runOnce(Duration.ZERO);
        }
        receiving.runOnce(Duration.ZERO);
    }

    /** Repeats that until this much time has passed. */
    void runFor(Duration time, Duration step) {
        for (long i = 0; i < time.toMillis() / step.toMillis(); i++) {
            run();
            clock.advance(step);
        }
    }

    void runFor(Duration time) {
        runFor(time, Duration.ofMillis(100));
    }
}
