package dev.waybill.trials;

import dev.waybill.EventIds;
import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.kafka.KafkaSource;
import dev.waybill.pubsub.PubSubDestination;
import dev.waybill.pubsub.PubSubOptions;
import dev.waybill.pubsub.PubSubSource;
import dev.waybill.rabbitmq.RabbitDestination;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.RabbitSource;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import java.util.List;
import java.util.Map;

/** A topic, or a queue, of one of the brokers, and the place of its dead letters. */
interface TrialBroker {
    /** @return the id of the event */
    String send(String key, String data) throws Exception;

    /** As they are, in this order. */
    void sendRaw(List<HostileMessages.Raw> messages) throws Exception;

    /** A consumer in a process of its own. */
    ConsumerSettings consumer(String url, String consumer);

    MessageSource source(String consumer);

    Destination deadLetters();

    static TrialBroker kafka(Trial trial, String name) {
        String topic = trial.topic(name);
        ConsumedEvents events = new ConsumedEvents(topic);
        Map<String, String> properties =
                Map.of("bootstrap.servers", TrialServers.kafka().bootstrapServers());
        return new TrialBroker() {
            @Override
            public String send(String key, String data) {
                return events.send(key, data);
            }

            @Override
            public void sendRaw(List<HostileMessages.Raw> messages) {
                events.sendRaw(messages);
            }

            @Override
            public ConsumerSettings consumer(String url, String consumer) {
                return new ConsumerSettings(url, TrialServers.kafka().bootstrapServers(), consumer, topic, false, 0);
            }

            @Override
            public MessageSource source(String consumer) {
                return KafkaSource.of(properties, consumer, List.of(topic));
            }

            @Override
            public Destination deadLetters() {
                return KafkaDestination.connect(KafkaOptions.of(properties));
            }
        };
    }

    static TrialBroker rabbit(Trial trial, String name) {
        ConsumedQueues queues = new ConsumedQueues(
                TrialServers.rabbit(), name + "-" + trial.random().nextInt(1_000_000));
        String queue = queues.queue("consumer");
        queues.declare(queue + ".dlt");
        RabbitOptions options = RabbitOptions.of(TrialServers.rabbit().uri());
        return new TrialBroker() {
            @Override
            public String send(String key, String data) {
                return queues.send(key, data);
            }

            @Override
            public void sendRaw(List<HostileMessages.Raw> messages) {
                queues.sendRaw(messages);
            }

            @Override
            public ConsumerSettings consumer(String url, String consumer) {
                return new ConsumerSettings(url, TrialServers.rabbit().uri(), consumer, queue, false, 0);
            }

            @Override
            public MessageSource source(String consumer) {
                return RabbitSource.of(options, List.of(queue));
            }

            @Override
            public Destination deadLetters() {
                return RabbitDestination.connect(options);
            }
        };
    }

    static TrialBroker pubSub(PubSubEmulator emulator, String name) throws Exception {
        EmulatedTopic topic = EmulatedTopic.make(emulator.address(), name);
        EmulatedTopic.make(emulator.address(), name + ".dlt");
        PubSubOptions options = PubSubOptions.of(EmulatedTopic.PROJECT).emulator(emulator.address());
        return new TrialBroker() {
            @Override
            public String send(String key, String data) throws Exception {
                String id = EventIds.next();
                topic.send(key, Shuffled.envelope(id, data));
                return id;
            }

            @Override
            public void sendRaw(List<HostileMessages.Raw> messages) throws Exception {
                topic.sendRaw(messages);
            }

            @Override
            public ConsumerSettings consumer(String url, String consumer) {
                return new ConsumerSettings(
                        url, ConsumerSettings.PUBSUB + emulator.address(), consumer, name, false, 0);
            }

            @Override
            public MessageSource source(String consumer) {
                return PubSubSource.of(options, name, name);
            }

            @Override
            public Destination deadLetters() {
                return PubSubDestination.connect(options);
            }
        };
    }
}
