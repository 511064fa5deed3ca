package dev.waybill.kafka;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.source.DeadLetterHarness;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic of a broker with the topic of its dead letters. */
final class KafkaSourceHarness implements DeadLetterHarness {
    private final Broker broker;
    private final Optional<FaultInjection> faults;
    private final Map<String, String> properties;
    private final String topic;
    private final KafkaDestination destination;
    private final KafkaDeadLetters box;

    KafkaSourceHarness(Broker broker) {
        this(broker, Optional.empty());
    }

    KafkaSourceHarness(Broker broker, Optional<FaultInjection> faults) {
        this.broker = broker;
        this.faults = faults;
        // Short waits, so that tests detect an unavailable broker faster than after the default minute.
        this.properties = Map.of(
                "bootstrap.servers",
                broker.server().bootstrapServers(),
                "default.api.timeout.ms",
                "3000",
                "session.timeout.ms",
                "6000",
                "heartbeat.interval.ms",
                "1000",
                "request.timeout.ms",
                "2000",
                // So long the client waits for the answer to a JoinGroup.
                "max.poll.interval.ms",
                "10000");
        this.topic = broker.newTopic();
        broker.create(deadLetterTopic(), Map.of());
        this.destination = KafkaDestination.of(broker.options());
        this.box = KafkaDeadLetters.of(properties, broker.options());
    }

    @Override
    public MessageSource source() {
        return KafkaSource.of(properties, "group of " + topic, List.of(topic));
    }

    @Override
    public String topic() {
        return topic;
    }

    @Override
    public void send(List<Sent> messages) {
        List<Future<RecordMetadata>> acknowledgements = new ArrayList<>();
        // One request at a time: on a topic that was just created, several may fail with out-of-order numbers until
        // they expire.
        Map<String, Object> properties = Map.of(
                "bootstrap.servers", broker.server().bootstrapServers(), "max.in.flight.requests.per.connection", 1);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
            messages.forEach(each -> acknowledgements.add(producer.send(record(each))));
            for (Future<RecordMetadata> acknowledgement : acknowledgements) {
                acknowledgement.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("Kafka did not take what the test sends.", e);
        }
    }

    private ProducerRecord<byte[], byte[]> record(Sent message) {
        String key = message.key();
        ProducerRecord<byte[], byte[]> made =
                new ProducerRecord<>(topic, key == null ? null : key.getBytes(StandardCharsets.UTF_8), message.value());
        message.headers().forEach((name, value) -> made.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        return made;
    }

    @Override
    public boolean acknowledgesEach() {
        return false;
    }

    @Override
    public Destination destination() {
        return destination;
    }

    @Override
    public String deadLetterTopic() {
        return topic + ".dlt";
    }

    @Override
    public DeadLetterBox box() {
        return box;
    }

    @Override
    public Optional<MissingPlace> missingPlace() {
        String missing = topic + ".missing";
        return Optional.of(new MissingPlace(destination, missing, () -> broker.create(missing, Map.of())));
    }

    @Override
    public boolean membersKeepOrder() {
        return true;
    }

    @Override
    public Optional<Outage> outage() {
        return Optional.of(broker.outage());
    }

    @Override
    public Optional<FaultInjection> faults() {
        return faults;
    }

    @Override
    public void close() {
        broker.server().restartBroker();
        box.close();
        destination.close();
    }
}
