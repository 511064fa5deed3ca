package dev.waybill.kafka;

import static dev.waybill.kafka.Letters.letter;
import static dev.waybill.kafka.Letters.published;
import static java.util.stream.IntStream.rangeClosed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.transaction.TransactionalWriter;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.Faults;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Messages are sent in transactions, as a relay does it, while a request to the broker fails. */
final class TransactionsUnderFaults {
    private static final int MESSAGES = 12;
    private static final int PAGE = 3;
    private static final int MOST_WRITERS = 200;
    /** With a delivery timeout of a second no step waits longer than that for an answer. A relay that stops waits for it. */
    private static final Duration WRITER_WITHIN = Duration.ofSeconds(10);

    private final Broker broker;
    private final Faults faults;

    TransactionsUnderFaults(Broker broker) {
        this.broker = broker;
        this.faults = broker.proxy().faults();
    }

    /**
     * @param request number of the request that fails
     * @return whether there was one
     */
    boolean run(int request, Failure how) throws Exception {
        String topic = broker.newTopic();
        Broker.eventually(() -> broker.exists(topic));
        String id = "relay-" + UUID.randomUUID();
        KafkaOptions impatient = broker.options().deliveryTimeout(Duration.ofSeconds(1));
        try (KafkaDestination destination = KafkaDestination.of(impatient)) {
            faults.arm(request, how, () -> {});
            boolean sent = false;
            for (int writers = 1; !sent; writers++) {
                assertThat(writers).as("request %d fails as %s", request, how).isLessThan(MOST_WRITERS);
                long begun = System.nanoTime();
                sent = sendAll(destination, id, topic);
                assertThat(Duration.ofNanos(System.nanoTime() - begun))
                        .as(
                                "the time of writer %d; request %d (%s) fails as %s",
                                writers, request, faults.struckAt(), how)
                        .isLessThan(WRITER_WITHIN);
            }
            faults.disarm();
        }
        broker.awaitDecided(topic);
        List<String> seen = broker.committedOn(topic).stream()
                .map(received -> new String(received.value(), StandardCharsets.UTF_8))
                .toList();
        assertThat(seen)
                .as("request %d (%s) fails as %s", request, faults.struckAt(), how)
                .isEqualTo(rangeClosed(1, MESSAGES).mapToObj(Integer::toString).toList());
        return faults.struck();
    }

    /** Continues behind the committed position. Whatever is indefinite ends the writer. */
    private static boolean sendAll(KafkaDestination destination, String id, String topic) throws Exception {
        try (TransactionalWriter writer = destination.openWriter(id)) {
            int sent = writer.committed().map(Integer::parseInt).orElse(0);
            while (sent < MESSAGES) {
                List<Delivery> answers = published(
                        writer,
                        rangeClosed(sent + 1, sent + PAGE)
                                .mapToObj(i -> letter(topic, "key", Integer.toString(i)))
                                .toList());
                if (answers.stream().allMatch(Delivery.Delivered.class::isInstance)) {
                    sent += PAGE;
                    writer.commit(Integer.toString(sent));
                } else if (answers.stream().anyMatch(Delivery.Unavailable.class::isInstance)) {
                    return false;
                } else {
                    writer.abort();
                }
            }
            return true;
        } catch (DestinationUnavailableException e) {
            return false;
        }
    }
}
