package dev.waybill.inbox;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.MessageHead;
import dev.waybill.spi.Destination;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryTopic;
import dev.waybill.tck.source.DeadLetterHarness;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A topic and its dead letters in memory. */
final class InMemoryBroker implements DeadLetterHarness, DeadLetterBox {
    private final InMemoryTopic topic = new InMemoryTopic("orders");
    private final InMemoryDestination letters = new InMemoryDestination();
    private final Set<String> done = new HashSet<>();

    private record Letter(String place, OutboundMessage message) implements InboundMessage {
        @Override
        public String topic() {
            return message.topic();
        }

        @Override
        public byte @Nullable [] key() {
            return message.key();
        }

        @Override
        public Optional<Instant> sentAt() {
            return Optional.empty();
        }

        @Override
        public byte[] value() {
            return message.value();
        }

        @Override
        public List<Header> headers() {
            return message.headers();
        }
    }

    @Override
    public synchronized List<DeadLetterEntry> list(String from, int atMost) {
        return open().stream()
                .map(letter -> DeadLetterEntry.of(from, letter))
                .limit(atMost)
                .toList();
    }

    @Override
    public Set<String> topics() {
        return Set.of(deadLetterTopic());
    }

    @Override
    public List<DeadLetterCount> count(Collection<String> topics, int atMost) {
        List<String> consumers = list(deadLetterTopic(), atMost).stream()
                .map(DeadLetterEntry::consumer)
                .toList();
        return topics.stream()
                .filter(deadLetterTopic()::equals)
                .map(from -> DeadLetterCount.of(from, consumers, true))
                .toList();
    }

    @Override
    public synchronized Optional<DeadLetterEntry> find(String from, String place) {
        return list(from, Integer.MAX_VALUE).stream()
                .filter(letter -> letter.place().equals(place))
                .findFirst();
    }

    private List<Letter> open() {
        List<Letter> open = new ArrayList<>();
        List<OutboundMessage> all = letters.delivered(deadLetterTopic());
        for (int i = 0; i < all.size(); i++) {
            String place = deadLetterTopic() + "@" + i;
            if (!done.contains(place)) {
                open.add(new Letter(place, all.get(i)));
            }
        }
        return open;
    }

    @Override
    public synchronized boolean sendBack(DeadLetterEntry letter, Actor by) {
        Optional<Letter> found = find(letter);
        found.ifPresent(each -> {
            DeadLetterBody body = letter.read(each);
            MessageHead head = MessageHead.of(each, body);
            byte[] key = head.key();
            topic.send(
                    key == null ? null : new String(key, StandardCharsets.UTF_8),
                    body.original(),
                    head.headers().toArray(Header[]::new));
            done.add(each.place());
        });
        return found.isPresent();
    }

    @Override
    public synchronized boolean discard(DeadLetterEntry letter, Actor by) {
        Optional<Letter> found = find(letter);
        found.ifPresent(each -> done.add(each.place()));
        return found.isPresent();
    }

    private Optional<Letter> find(DeadLetterEntry letter) {
        return open().stream()
                .filter(each -> each.place().equals(letter.place()))
                .findFirst();
    }

    @Override
    public MessageSource source() {
        return topic;
    }

    @Override
    public String topic() {
        return "orders";
    }

    @Override
    public void send(List<Sent> messages) {
        for (Sent each : messages) {
            topic.send(
                    each.key(),
                    each.value(),
                    each.headers().entrySet().stream()
                            .map(header -> Scene.header(header.getKey(), header.getValue()))
                            .toArray(Header[]::new));
        }
    }

    @Override
    public boolean acknowledgesEach() {
        return true;
    }

    @Override
    public Destination destination() {
        return letters;
    }

    @Override
    public String deadLetterTopic() {
        return "orders.dlt";
    }

    @Override
    public DeadLetterBox box() {
        return this;
    }

    @Override
    public Optional<MissingPlace> missingPlace() {
        return Optional.empty();
    }

    @Override
    public boolean membersKeepOrder() {
        return false;
    }

    @Override
    public Optional<Outage> outage() {
        return Optional.empty();
    }

    @Override
    public void close() {}
}
