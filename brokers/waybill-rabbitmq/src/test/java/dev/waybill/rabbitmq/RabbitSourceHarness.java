package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.source.DeadLetterHarness;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A queue of a broker, bound by a routing key of another name, and the queue of its dead letters. */
final class RabbitSourceHarness implements DeadLetterHarness {
    private final Broker broker;
    private final Map<String, Object> arguments;
    private final String queue = Broker.unusedTopic();
    private final RabbitOptions options;
    private final Optional<FaultInjection> faults;
    private final RabbitDestination destination;
    /** By the exchange to which every queue is bound by its name. */
    private final RabbitDestination toQueues;

    private final RabbitDeadLetters box;

    RabbitSourceHarness(Broker broker, Map<String, Object> arguments) {
        this(broker, arguments, broker.options(), Optional.empty());
    }

    /** Through a proxy, with short waits, so that tests detect a missing answer quickly. */
    RabbitSourceHarness(Broker broker, Map<String, Object> arguments, AmqpProxy proxy) {
        this(
                broker,
                arguments,
                broker.options(proxy.port())
                        .connectTimeout(Duration.ofSeconds(1))
                        .confirmTimeout(Duration.ofSeconds(1)),
                Optional.of(proxy));
    }

    private RabbitSourceHarness(
            Broker broker, Map<String, Object> arguments, RabbitOptions options, Optional<FaultInjection> faults) {
        this.options = options;
        this.faults = faults;
        this.broker = broker;
        this.arguments = arguments;
        broker.run(channel -> {
            channel.queueDeclare(queue, true, false, false, arguments);
            channel.queueBind(queue, Broker.EXCHANGE, "sent." + queue);
        });
        Topology letters = Topology.NONE.deadLetters(queue + ".dlx", deadLetterTopic());
        this.destination = RabbitDestination.of(options.exchange(queue + ".dlx").topology(letters));
        this.toQueues = RabbitDestination.of(options.exchange(""));
        this.box = RabbitDeadLetters.of(options);
        broker.run(channel -> TopologyDeclaration.declare(letters, channel));
    }

    @Override
    public MessageSource source() {
        return RabbitSource.of(options, List.of(queue));
    }

    @Override
    public String topic() {
        return queue;
    }

    @Override
    public void send(List<Sent> messages) {
        broker.run(channel -> {
            channel.confirmSelect();
            for (Sent message : messages) {
                Map<String, Object> headers = new HashMap<>(message.headers());
                String key = message.key();
                if (key != null) {
                    headers.put(RabbitDestination.KEY_HEADER, key);
                }
                BasicProperties properties = new BasicProperties.Builder()
                        .deliveryMode(2)
                        .headers(headers)
                        .build();
                channel.basicPublish(Broker.EXCHANGE, "sent." + queue, true, properties, message.value());
            }
            channel.waitForConfirmsOrDie(30_000);
        });
    }

    @Override
    public boolean acknowledgesEach() {
        return true;
    }

    @Override
    public Destination destination() {
        return destination;
    }

    @Override
    public String deadLetterTopic() {
        return queue + ".dlt";
    }

    @Override
    public DeadLetterBox box() {
        return box;
    }

    @Override
    public Optional<MissingPlace> missingPlace() {
        String missing = queue + ".missing";
        return Optional.of(new MissingPlace(
                toQueues,
                missing,
                () -> broker.run(channel -> channel.queueDeclare(missing, true, false, false, null))));
    }

    @Override
    public boolean membersKeepOrder() {
        return false;
    }

    @Override
    public Optional<Outage> outage() {
        if (arguments.containsKey("x-queue-type")) {
            // A quorum queue of this one node is not back with it after a crash.
            return Optional.empty();
        }
        return Optional.of(broker.outage(broker::stop));
    }

    @Override
    public Optional<FaultInjection> faults() {
        return faults;
    }

    @Override
    public void close() {
        broker.bringBack();
        box.close();
        toQueues.close();
        destination.close();
    }
}
