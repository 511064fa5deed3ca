package dev.waybill.pubsub;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.source.DeadLetterHarness;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A topic with a subscription that keeps order, and a topic of its dead letters with one that does not. */
final class PubSubSourceHarness implements DeadLetterHarness {
    private final Topics topics;
    private final Optional<Outage> outage;
    private final Optional<FaultInjection> faults;
    private final PubSubOptions options;
    private final String topic;
    private final PubSubDestination destination;
    private final PubSubDeadLetters box;

    PubSubSourceHarness(String address, Topics topics, Optional<Outage> outage) {
        this(address, topics, outage, Optional.empty());
    }

    PubSubSourceHarness(String address, Topics topics, Optional<Outage> outage, Optional<FaultInjection> faults) {
        this.topics = topics;
        this.outage = outage;
        this.faults = faults;
        this.options = PubSubOptions.of(Topics.PROJECT).emulator(address).deliveryTimeout(Duration.ofSeconds(5));
        this.topic = topics.create();
        topics.create(deadLetterTopic(), false);
        this.destination = PubSubDestination.of(options);
        this.box = PubSubDeadLetters.of(options);
    }

    @Override
    public MessageSource source() {
        return PubSubSource.of(options, topic, topic).ackDeadline(Duration.ofSeconds(10));
    }

    @Override
    public String topic() {
        return topic;
    }

    @Override
    public void send(List<Sent> messages) {
        topics.publish(
                topic, messages.stream().map(PubSubSourceHarness::message).toList());
    }

    private static PubsubMessage message(Sent sent) {
        String key = sent.key();
        return PubsubMessage.newBuilder()
                .setOrderingKey(key == null ? "" : key)
                .setData(ByteString.copyFrom(sent.value()))
                .putAllAttributes(sent.headers())
                .build();
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
        return Optional.of(new MissingPlace(destination, missing, () -> topics.create(missing, false)));
    }

    @Override
    public boolean membersKeepOrder() {
        return true;
    }

    @Override
    public Optional<Outage> outage() {
        return outage;
    }

    @Override
    public Optional<FaultInjection> faults() {
        return faults;
    }

    @Override
    public void close() {
        outage.ifPresent(Outage::end);
        box.close();
        destination.close();
    }
}
