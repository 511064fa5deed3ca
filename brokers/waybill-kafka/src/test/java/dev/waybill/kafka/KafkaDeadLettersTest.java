package dev.waybill.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.admin.MessageLeftOutException;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.DeadLetterHeaders;
import dev.waybill.format.LeftOut;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.destination.DestinationHarness.Received;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Dead letters in Kafka, beyond the contract of all brokers. */
class KafkaDeadLettersTest {
    private static final Actor PERSON = new Actor("anna", "mended");
    private static Broker broker;
    private static KafkaDeadLetters box;
    private static KafkaProducer<byte[], byte[]> producer;

    @BeforeAll
    static void start() {
        broker = new Broker();
        Map<String, String> properties =
                Map.of("bootstrap.servers", broker.server().bootstrapServers());
        box = KafkaDeadLetters.of(properties, broker.options());
        // Idempotent, it may never get over a first request that came before the broker knew the new topic.
        // One request at a time, or what follows could overtake that first request.
        Map<String, Object> plain = Map.of(
                "bootstrap.servers",
                broker.server().bootstrapServers(),
                "enable.idempotence",
                "false",
                "max.in.flight.requests.per.connection",
                "1");
        producer = new KafkaProducer<>(plain, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @AfterAll
    static void stop() {
        producer.close();
        box.close();
        broker.close();
    }

    @Test
    void of_a_large_topic_the_newest_letters_are_counted_without_those_that_are_marked() throws Exception {
        String topic = broker.newTopic();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            sent.add(producer.send(letter(topic, 0, 1_000L + i, "e" + i, new byte[] {'1'}, Optional.empty())));
        }
        for (Future<RecordMetadata> each : sent) {
            each.get();
        }
        assertThat(box.discard(box.list(topic, 30).get(29), PERSON)).isTrue();

        DeadLetterCount all = box.count(List.of(topic), 1_000).get(0);
        assertThat(all.exact()).isTrue();
        assertThat(all.letters()).isEqualTo(29);
        assertThat(all.byConsumer()).hasSize(1).containsValue(29L);
        int newest = 10;
        DeadLetterCount some = box.count(List.of(topic), 3 * newest).get(0);
        assertThat(some.exact()).isFalse();
        assertThat(some.letters()).as("without the marked one and its mark").isEqualTo(newest - 2);
    }

    @Test
    void the_oldest_of_all_partitions_are_listed_page_by_page() throws Exception {
        String topic = broker.newTopic();
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            sent.add(producer.send(letter(topic, i % 3, 1_000L + i, "e" + i, new byte[] {'1'}, Optional.empty())));
        }
        for (Future<RecordMetadata> each : sent) {
            each.get();
        }

        List<String> seen = new ArrayList<>();
        for (List<DeadLetterEntry> page = box.list(topic, 3); !page.isEmpty(); page = box.list(topic, 3)) {
            assertThat(page).hasSizeLessThanOrEqualTo(3);
            for (DeadLetterEntry letter : page) {
                seen.add(letter.eventId().orElseThrow());
                assertThat(box.discard(letter, PERSON)).isTrue();
            }
        }
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            all.add("e" + i);
        }
        assertThat(seen).isEqualTo(all);
        assertThat(box.list(topic, 0)).isEmpty();
    }

    /** Each of these would take 4 kB: all of them more than any heap that tests run with. */
    @Test
    void a_list_holds_no_more_letters_than_requested() {
        OldestLetters oldest = new OldestLetters(10);
        for (int offset = 0; offset < 300_000; offset++) {
            KafkaMessage message = new KafkaMessage(recordAt(offset));
            String error = "e".repeat(2_000) + offset;
            oldest.add(
                    message,
                    new DeadLetterEntry(
                            "t.dlt",
                            message.place(),
                            "t",
                            Optional.empty(),
                            error,
                            Optional.of(Instant.EPOCH),
                            "billing",
                            1,
                            DeadLetterEntry.Contents.MESSAGE));
        }
        assertThat(oldest.list())
                .extracting(DeadLetterEntry::place)
                .startsWith("t.dlt-0@0")
                .hasSize(10);
        assertThat(oldest.hasEnoughOf(0)).isTrue();
        assertThat(oldest.hasEnoughOf(1))
                .as("another partition may have older ones")
                .isFalse();
    }

    private static ConsumerRecord<byte[], byte[]> recordAt(int offset) {
        return new ConsumerRecord<>(
                "t.dlt",
                0,
                offset,
                offset,
                TimestampType.CREATE_TIME,
                0,
                0,
                new byte[0],
                new byte[0],
                new org.apache.kafka.common.header.internals.RecordHeaders(),
                Optional.empty());
    }

    @Test
    void only_a_record_without_value_in_its_own_partition_marks_a_letter() throws Exception {
        String topic = broker.newTopic();
        producer.send(letter(topic, 0, 1, "e1", new byte[] {'1'}, Optional.empty()))
                .get();
        String place = box.list(topic, 10).get(0).place();
        ProducerRecord<byte[], byte[]> forged = letter(topic, 0, 2, "e2", new byte[] {'2'}, Optional.empty());
        forged.headers().add(DoneMark.DONE_WITH, place.getBytes(StandardCharsets.UTF_8));
        producer.send(forged).get();
        ProducerRecord<byte[], byte[]> elsewhere = new ProducerRecord<>(topic, 1, null, null);
        elsewhere.headers().add(DoneMark.DONE_WITH, place.getBytes(StandardCharsets.UTF_8));
        producer.send(elsewhere).get();

        assertThat(box.list(topic, 10))
                .extracting(letter -> letter.eventId().orElse("unreadable"))
                .containsExactlyInAnyOrder("e1", "e2", "unreadable");
    }

    @Test
    void a_mark_of_a_later_record_is_listed_as_unreadable() throws Exception {
        String topic = broker.newTopic();
        producer.send(mark(topic, topic + "-0@1")).get();
        producer.send(letter(topic, 0, 1, "e1", new byte[] {'1'}, Optional.empty()))
                .get();
        for (String place : List.of("-0@-5", "-0@3", "-0@9223372036854775807", "--1@0", "-0@-9223372036854775808")) {
            producer.send(mark(topic, topic + place)).get();
        }

        List<DeadLetterEntry> letters = box.list(topic, 10);
        assertThat(letters)
                .extracting(letter -> letter.eventId().orElse("unreadable"))
                .containsOnlyOnce("e1")
                .hasSize(7);
        assertThat(box.find(topic, topic + "-0@1")).isPresent();
        assertThat(box.find(topic, topic + "-0@-5")).isEmpty();
        letters.forEach(letter -> assertThat(box.discard(letter, PERSON)).isTrue());
        assertThat(box.list(topic, 10)).isEmpty();
    }

    private static ProducerRecord<byte[], byte[]> mark(String topic, String place) {
        ProducerRecord<byte[], byte[]> mark = new ProducerRecord<>(topic, 0, null, null);
        mark.headers().add(DoneMark.DONE_WITH, place.getBytes(StandardCharsets.UTF_8));
        return mark;
    }

    /** At 8 KB for each these would not fit into any heap that tests run with. */
    @Test
    void marks_far_apart_take_little_memory() {
        MarkedOffsets marks = new MarkedOffsets();
        for (long i = 1; i <= 1_000_000; i++) {
            marks.add(i * 65_536 - 1);
        }
        assertThat(marks.contains(65_535)).isTrue();
        assertThat(marks.contains(65_534)).isFalse();
        assertThat(marks.contains(1_000_000L * 65_536 - 1)).isTrue();
        assertThat(marks.contains(64)).isFalse();
    }

    @Test
    void a_message_omitted_from_its_letter_is_sent_back_from_its_origin() throws Exception {
        String origin = broker.newTopic();
        String topic = broker.newTopic();
        byte[] large = new byte[500_000];
        ProducerRecord<byte[], byte[]> original =
                new ProducerRecord<>(origin, 2, "k".getBytes(StandardCharsets.UTF_8), large);
        original.headers().add("note", "x".getBytes(StandardCharsets.UTF_8));
        RecordMetadata at = producer.send(original).get();
        LeftOut leftOut = LeftOut.of(origin + "-2@" + at.offset(), large);
        producer.send(letter(topic, 0, 1, "e1", new byte[0], Optional.of(leftOut), origin))
                .get();

        DeadLetterEntry letter = box.list(topic, 10).get(0);
        assertThat(letter.contents()).isEqualTo(DeadLetterEntry.Contents.WHERE_IT_STOOD);
        assertThat(letter.bytes()).isEqualTo(500_000);
        assertThat(box.sendBack(letter, PERSON)).isTrue();
        assertThat(box.list(topic, 10)).isEmpty();
        List<Received> all = broker.everythingOn(origin);
        assertThat(all).hasSize(2).allSatisfy(each -> {
            assertThat(each.value()).isEqualTo(large);
            assertThat(each.key()).isEqualTo("k".getBytes(StandardCharsets.UTF_8));
            assertThat(each.headers()).extracting(Header::name).containsExactly("note");
        });
    }

    @Test
    void a_letter_whose_message_kafka_no_longer_holds_is_kept() throws Exception {
        String origin = broker.newTopic();
        String topic = broker.newTopic();
        RecordMetadata at = producer.send(new ProducerRecord<>(origin, 0, null, new byte[] {1}))
                .get();
        for (String place : List.of(
                origin + "-0@" + (at.offset() + 7),
                origin + "-0@" + at.offset(),
                origin + "-999@0",
                "elsewhere-0@0",
                "?")) {
            LeftOut leftOut = LeftOut.of(place, new byte[] {2});
            producer.send(letter(topic, 0, 1, "e1", new byte[0], Optional.of(leftOut), origin))
                    .get();
        }
        List<DeadLetterEntry> letters = box.list(topic, 10);
        assertThat(letters)
                .hasSize(5)
                .allSatisfy(letter -> assertThatExceptionOfType(MessageLeftOutException.class)
                        .isThrownBy(() -> box.sendBack(letter, PERSON))
                        .withMessageContainingAll(letter.place(), "no longer holds it", "discard"));
        assertThat(box.list(topic, 10)).isEqualTo(letters);
        assertThat(box.find(topic, topic + "-999@0")).isEmpty();
    }

    /** The topic is named by the letter. */
    @Test
    void a_letter_from_a_forbidden_topic_is_kept() throws Exception {
        String origin = broker.newTopic();
        String topic = broker.newTopic();
        producer.send(letter(topic, 0, 1, "e1", new byte[] {'1'}, Optional.empty(), origin))
                .get();
        DeadLetterEntry letter = box.list(topic, 10).get(0);
        broker.rule(origin, AclOperation.DESCRIBE, AclPermissionType.DENY);
        assertThatExceptionOfType(LetterStaysException.class)
                .isThrownBy(() -> box.sendBack(letter, PERSON))
                .withMessageContaining(origin);
        assertThat(box.list(topic, 10)).containsExactly(letter);
    }

    private static ProducerRecord<byte[], byte[]> letter(
            String topic, int partition, long time, String id, byte[] value, Optional<LeftOut> leftOut) {
        return letter(topic, partition, time, id, value, leftOut, "orders");
    }

    private static ProducerRecord<byte[], byte[]> letter(
            String topic, int partition, long time, String id, byte[] value, Optional<LeftOut> leftOut, String origin) {
        DeadLetterBody whole = new DeadLetterBody(Optional.of(id), value, "no", Instant.EPOCH, "billing");
        ProducerRecord<byte[], byte[]> made = new ProducerRecord<>(
                topic,
                partition,
                time,
                null,
                leftOut.map(whole::without).orElse(whole).toJson());
        KafkaMessage from = new KafkaMessage(new ConsumerRecord<>(origin, 0, 0, null, value));
        DeadLetterHeaders.withoutMessage(from).forEach(header -> made.headers().add(header.name(), header.value()));
        return made;
    }
}
