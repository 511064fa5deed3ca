package dev.waybill.kafka;

import static dev.waybill.kafka.Letters.letter;
import static dev.waybill.kafka.Letters.published;
import static dev.waybill.spi.Delivery.DELIVERED;
import static dev.waybill.tck.faults.Failure.BEFORE;
import static dev.waybill.tck.faults.Failure.REPLY_LOST;
import static dev.waybill.tck.faults.Failure.STALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.transaction.TransactionalWriter;
import dev.waybill.tck.Seeds;
import dev.waybill.tck.faults.Failure;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages and positions in Kafka's transactions, on a real broker. */
class KafkaTransactionsTest {
    @AutoClose
    private static final Broker broker = Broker.behindProxy();

    private static final int STEP = 12;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final String id = "relay-" + UUID.randomUUID();
    private final String topic = broker.newTopic();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private KafkaDestination destination(KafkaOptions options) {
        KafkaDestination destination = KafkaDestination.of(options.positionsTopic("positions-of-" + id));
        opened.add(destination);
        return destination;
    }

    private TransactionalWriter writer() {
        TransactionalWriter writer = destination(broker.options()).openWriter(id);
        opened.add(writer);
        return writer;
    }

    private static List<String> texts(String of) {
        return broker.committedOn(of).stream()
                .map(received -> new String(received.value(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void messages_and_position_are_committed_together() throws Exception {
        TransactionalWriter writer = writer();
        assertThat(writer.committed()).isEmpty();
        assertThat(published(writer, List.of(letter(topic, "k", "1"), letter(topic, "k", "2"))))
                .containsOnly(DELIVERED);
        assertThat(texts(topic)).isEmpty();
        writer.commit("first");
        assertThat(published(writer, List.of(letter(topic, "k", "3")))).containsOnly(DELIVERED);
        writer.commit("second");

        assertThat(texts(topic)).containsExactly("1", "2", "3");
        assertThat(writer().committed()).contains("second");
    }

    @Test
    void an_aborted_transaction_is_not_seen_and_its_position_neither() throws Exception {
        TransactionalWriter writer = writer();
        published(writer, List.of(letter(topic, "k", "1")));
        writer.commit("first");
        published(writer, List.of(letter(topic, "k", "2")));
        writer.abort();
        published(writer, List.of(letter(topic, "k", "3")));
        writer.commit("third");

        assertThat(texts(topic)).containsExactly("1", "3");
    }

    @Test
    void a_newer_writer_fences_an_older_one_and_its_open_transaction() throws Exception {
        TransactionalWriter older = writer();
        published(older, List.of(letter(topic, "k", "1")));
        older.commit("first");
        published(older, List.of(letter(topic, "k", "2")));

        TransactionalWriter newer = writer();
        assertThat(newer.committed()).contains("first");
        assertThatThrownBy(() -> older.commit("second")).isInstanceOf(DestinationUnavailableException.class);
        published(newer, List.of(letter(topic, "k", "3")));
        newer.commit("third");
        assertThat(texts(topic)).containsExactly("1", "3");
    }

    @Test
    void writers_with_different_ids_do_not_see_each_other() throws Exception {
        TransactionalWriter one = writer();
        TransactionalWriter other = destination(broker.options()).openWriter(id + "-other");
        opened.add(other);
        one.commit("one");
        other.commit("other");
        one.commit("one again");
        assertThat(writer().committed()).contains("one again");
    }

    @Test
    void of_a_topic_of_kafkas_own_only_its_own_message_is_refused() throws Exception {
        TransactionalWriter writer = writer();
        List<Delivery> answers = published(
                writer,
                List.of(letter(topic, "a", "1"), letter("__transaction_state", "b", "2"), letter(topic, "c", "3")));
        assertThat(answers.get(1)).isInstanceOf(Refused.class);
        assertThat(answers).filteredOn(answer -> answer instanceof Refused).hasSize(1);
        writer.abort();
        assertThat(published(writer, List.of(letter(topic, "a", "1"), letter(topic, "c", "3"))))
                .containsOnly(DELIVERED);
        writer.commit("behind it");
        broker.awaitDecided(topic);
        assertThat(texts(topic)).containsExactlyInAnyOrder("1", "3");
    }

    @Test
    void of_a_missing_topic_only_its_own_messages_are_retried() throws Exception {
        String missing = Broker.unusedTopic();
        TransactionalWriter writer = writer();
        List<Delivery> answers = published(writer, List.of(letter(topic, "k", "1"), letter(missing, "k", "2")));
        assertThat(answers.get(0)).isEqualTo(DELIVERED);
        assertThat(answers.get(1)).isInstanceOf(Retry.class);
        writer.abort();

        broker.create(missing, Map.of());
        Broker.eventually(() -> {
            List<Delivery> again = published(writer, List.of(letter(missing, "k", "2")));
            boolean there = again.equals(List.of(DELIVERED));
            if (!there) {
                writer.abort();
            }
            return there;
        });
        writer.commit("done");
        assertThat(texts(missing)).containsExactly("2");
    }

    @Test
    void only_the_message_at_fault_is_refused_and_the_writer_goes_on_after_an_abort() throws Exception {
        String small = broker.newTopic(Map.of("max.message.bytes", "2000"));
        TransactionalWriter writer = writer();
        byte[] large = new byte[100_000];
        new java.util.Random(1).nextBytes(large);
        List<Delivery> answers = published(
                writer,
                List.of(
                        letter(topic, "k", "1"),
                        letter(small, "k", "2", large),
                        letter(small, "other", "3"),
                        letter(topic, "k", "4")));
        assertThat(answers).filteredOn(Refused.class::isInstance).hasSize(1);
        assertThat(answers.get(1)).isInstanceOf(Refused.class);
        writer.abort();
        assertThat(published(
                        writer, List.of(letter(topic, "k", "1"), letter(small, "other", "3"), letter(topic, "k", "4"))))
                .containsOnly(DELIVERED);
        writer.commit("done");
        assertThat(texts(topic)).containsExactly("1", "4");
        assertThat(texts(small)).containsExactly("3");
    }

    @Test
    void a_message_larger_than_any_request_is_refused() throws Exception {
        TransactionalWriter writer = writer();
        List<Delivery> answers =
                published(writer, List.of(letter(topic, "k", "1", new byte[2_000_000]), letter(topic, "k", "2")));
        assertThat(answers.get(0)).isInstanceOf(Refused.class);
        assertThat(answers.get(1)).isEqualTo(Delivery.BEHIND);
    }

    @Test
    void a_topic_that_is_forbidden_makes_only_its_own_messages_refused() throws Exception {
        String forbidden = broker.newTopic();
        broker.rule(forbidden, AclOperation.DESCRIBE, AclPermissionType.ALLOW);
        broker.rule(forbidden, AclOperation.WRITE, AclPermissionType.DENY);
        TransactionalWriter writer = writer();
        List<Delivery> answers = published(
                writer, List.of(letter(topic, "k", "1"), letter(forbidden, "k", "2"), letter(topic, "k", "3")));
        assertThat(answers.get(1)).isInstanceOf(Refused.class);
        assertThat(answers.get(0)).isNotInstanceOf(Refused.class);
        assertThat(answers.get(2)).isNotInstanceOf(Refused.class);
        broker.forgetRules(forbidden);
    }

    @Test
    void messages_around_a_forbidden_one_wait_for_it_and_the_writer_goes_on() throws Exception {
        String forbidden = broker.newTopic();
        broker.rule(forbidden, AclOperation.DESCRIBE, AclPermissionType.ALLOW);
        broker.rule(forbidden, AclOperation.WRITE, AclPermissionType.DENY);
        TransactionalWriter writer = writer();
        List<OutboundMessage> first =
                new ArrayList<>(List.of(letter(topic, "k", "first"), letter(forbidden, "k", "2")));
        assertThat(published(writer, first).get(1)).isInstanceOf(Refused.class);

        // The producer is in its error state: it takes what is sent now, throws, and fails it once more.
        List<OutboundMessage> after = IntStream.range(0, 300)
                .mapToObj(i -> letter(topic, "k" + i, "after " + i))
                .toList();
        assertThat(published(writer, after)).containsOnly(Delivery.BEHIND);
        writer.abort();

        assertThat(published(writer, after)).containsOnly(DELIVERED);
        writer.commit("done");
        assertThat(texts(topic)).hasSize(300).doesNotContain("first");
        broker.forgetRules(forbidden);
    }

    @Test
    @Timeout(90)
    void many_missing_topics_are_not_waited_for_one_after_the_other() throws Exception {
        TransactionalWriter writer = destination(broker.options().topicTimeout(Duration.ofSeconds(1)))
                .openWriter(id);
        opened.add(writer);
        List<OutboundMessage> batch = IntStream.range(0, 150)
                .mapToObj(i -> letter(Broker.unusedTopic(), "k", "text " + i))
                .toList();
        assertThat(published(writer, batch)).allMatch(Retry.class::isInstance);
    }

    @Test
    @Timeout(20)
    void messages_to_a_topic_that_was_deleted_are_not_waited_for_one_after_the_other() throws Exception {
        String deleted = broker.newTopic();
        TransactionalWriter writer = writer();
        published(writer, List.of(letter(deleted, "k", "before")));
        writer.commit("first");
        broker.delete(deleted);
        Broker.eventually(() -> !broker.exists(deleted));
        List<OutboundMessage> batch = IntStream.range(0, 60)
                .mapToObj(i -> letter(deleted, "k", "text " + i))
                .toList();
        assertThat(published(writer, batch.subList(0, 1))).allMatch(Delivery.Unavailable.class::isInstance);
        // Now the producer knows that the topic is gone, and each send waits for it to come back.
        assertThat(published(writer, batch)).allMatch(Delivery.Unavailable.class::isInstance);
    }

    @Test
    void a_writer_that_is_closed_or_aborted_leaves_no_transaction_open() throws Exception {
        KafkaDestination destination = destination(broker.options().deliveryTimeout(Duration.ofMinutes(2)));
        for (boolean abort : List.of(false, true)) {
            TransactionalWriter writer = destination.openWriter(id);
            opened.add(writer);
            published(writer, List.of(letter(topic, "k", "1")));
            long begun = System.nanoTime();
            if (abort) {
                destination.abort();
            }
            writer.close();
            broker.awaitDecided(topic);
            // Left open, it would end when it times out: 15 s after the delivery timeout.
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMinutes(1));
        }
        assertThat(texts(topic)).isEmpty();
    }

    @Test
    void an_abort_of_the_destination_ends_its_writer() throws Exception {
        KafkaDestination destination = destination(broker.options());
        TransactionalWriter writer = destination.openWriter(id);
        opened.add(writer);
        published(writer, List.of(letter(topic, "k", "1")));
        destination.abort();
        Broker.eventually(() -> {
            try {
                writer.commit("lost");
                return false;
            } catch (DestinationUnavailableException e) {
                return true;
            }
        });
    }

    /** In the check, some requests fail in one way. */
    @Test
    void whichever_request_fails_every_message_is_committed_once_in_order() throws Exception {
        long seed = Seeds.one();
        Random random = new Random(seed);
        failInTurn(
                "seed " + seed,
                1 + random.nextInt(STEP),
                STEP,
                () -> List.of(List.of(BEFORE, REPLY_LOST, STALL).get(random.nextInt(3))));
    }

    @Test
    @Tag("full")
    void whichever_request_fails_in_whichever_way_every_message_is_committed_once_in_order() throws Exception {
        failInTurn("all", 1, 1, () -> List.of(BEFORE, REPLY_LOST, STALL));
    }

    /** Every transaction has an epoch of its own, of which a producer id has 32,767; a busy relay uses them up within minutes. */
    @Test
    @Tag("full")
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void a_writer_continues_under_a_new_producer_id_when_its_epochs_are_used_up() throws Exception {
        TransactionalWriter writer = writer();
        List<String> sent = new ArrayList<>();
        int transactions = Short.MAX_VALUE + 100;
        for (int i = 0; i < transactions; i++) {
            if (i % 1000 == 0 || Math.abs(Short.MAX_VALUE - i) < 20) {
                sent.add("message " + i);
                assertThat(published(writer, List.of(letter(topic, "k", "message " + i))))
                        .containsOnly(DELIVERED);
            }
            writer.commit("position " + i);
        }

        broker.awaitDecided(topic);
        assertThat(texts(topic)).containsExactlyElementsOf(sent);
        assertThat(writer().committed()).contains("position " + (transactions - 1));
    }

    private static void failInTurn(String chosenBy, int first, int step, Supplier<List<Failure>> ways)
            throws Exception {
        TransactionsUnderFaults transactions = new TransactionsUnderFaults(broker);
        int failures = 0;
        boolean struck = true;
        for (int request = first; struck; request += step) {
            struck = false;
            for (Failure how : ways.get()) {
                boolean failed = transactions.run(request, how);
                struck |= failed;
                failures += failed ? 1 : 0;
            }
        }
        System.out.println(
                "Kafka's transactions: requests fail in turn (" + chosenBy + "): " + failures + " failures injected");
        assertThat(failures).isGreaterThan(1);
    }
}
