package dev.waybill.rabbitmq;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.LongString;
import dev.waybill.embedded.RabbitServer;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import dev.waybill.tck.destination.DestinationHarness.Received;
import dev.waybill.testkit.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A RabbitMQ, with an exchange to publish to, and one that is forbidden to the user of the options. Test classes share one, which
 * ends with the JVM; a class with settings of its own has a server of its own.
 */
final class Broker implements BeforeAllCallback, AfterAllCallback, AutoCloseable {
    static final String EXCHANGE = "waybill.exchange";
    static final String FORBIDDEN_EXCHANGE = "forbidden.exchange";
    static final String PASSWORD = "se/cret:1";
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static @Nullable RabbitServer shared;

    private final Map<String, String> settings;
    private @Nullable RabbitServer server;
    private boolean running = true;
    private boolean refusing;

    Broker() {
        this(Map.of());
    }

    Broker(Map<String, String> settings) {
        this.settings = settings;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        begin();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    /** Puts another certificate where the server has its own; it reads it for the next connection. */
    void useCertificate(Path certificate, Path ofServer) throws IOException {
        Files.copy(certificate, ofServer, StandardCopyOption.REPLACE_EXISTING);
        server().forgetCertificates();
    }

    static Broker start() {
        return start(Map.of());
    }

    static Broker start(Map<String, String> settings) {
        Broker broker = new Broker(settings);
        broker.begin();
        return broker;
    }

    private void begin() {
        assumeTrue(RabbitServer.isInstalled(), "RabbitMQ is not installed: ./install-servers installs it as root");
        if (settings.isEmpty()) {
            share();
        } else {
            server = RabbitServer.start(settings);
            prepare();
        }
    }

    private void share() {
        synchronized (Broker.class) {
            server = shared;
            if (server == null) {
                server = RabbitServer.start();
                prepare();
                shared = server;
            }
        }
    }

    private void prepare() {
        try {
            server().addUser("waybill", PASSWORD);
            server().setPermissions("waybill", ".*", "^(?!forbidden).*$", ".*");
            run(channel -> {
                channel.exchangeDeclare(EXCHANGE, "topic", true);
                channel.exchangeDeclare(FORBIDDEN_EXCHANGE, "topic", true);
            });
        } catch (RuntimeException | AssertionError e) {
            server().close();
            throw e;
        }
    }

    RabbitServer server() {
        return Objects.requireNonNull(server, "the broker was not started");
    }

    RabbitOptions options() {
        return options(server().port());
    }

    /** @param port where the broker is found, if need be by way of a proxy */
    RabbitOptions options(int port) {
        return RabbitOptions.of("amqp://127.0.0.1:" + port)
                .credentials("waybill", PASSWORD)
                .exchange(EXCHANGE);
    }

    void kill() {
        server().syncDeclarations();
        server().stopImmediately();
        running = false;
    }

    /** In order. */
    void stop() {
        server().stop();
        running = false;
    }

    private void refuse() {
        server().refuseClients();
        refusing = true;
    }

    void bringBack() {
        if (refusing) {
            server().admitClients();
            refusing = false;
        }
        if (!running) {
            server().restart();
            running = true;
        }
    }

    /**
     * In the fast check the server stays and refuses its clients, because each start costs seconds.
     *
     * @param begin what the full check does: one of {@link #kill()} and {@link #stop()}
     */
    Outage outage(Runnable begin) {
        return new Outage() {
            @Override
            public void begin() {
                if (Boolean.getBoolean("waybill.full")) {
                    begin.run();
                } else {
                    refuse();
                }
            }

            @Override
            public void end() {
                bringBack();
            }
        };
    }

    static String unusedTopic() {
        return "topic." + NUMBER.incrementAndGet();
    }

    String newTopic() {
        return newTopic(Map.of());
    }

    /** A queue of that name, bound by it. */
    String newTopic(Map<String, Object> arguments) {
        String topic = unusedTopic();
        bind(topic, EXCHANGE, arguments);
        return topic;
    }

    void bind(String topic, String exchange, Map<String, Object> arguments) {
        run(channel -> {
            channel.queueDeclare(topic, true, false, false, arguments);
            channel.queueBind(topic, exchange, topic);
        });
    }

    /** The messages in the queue, without removing them. */
    List<Received> everythingOn(String queue) {
        List<Received> received = new ArrayList<>();
        eachOn(queue, response -> received.add(received(response)));
        return received;
    }

    List<String> textsOn(String queue) {
        List<String> texts = new ArrayList<>();
        eachOn(queue, response -> texts.add(new String(response.getBody(), StandardCharsets.UTF_8)));
        return texts;
    }

    /** Each is given back when the channel closes. */
    void eachOn(String queue, Consumer<GetResponse> take) {
        run(channel -> {
            for (GetResponse each = channel.basicGet(queue, false);
                    each != null;
                    each = channel.basicGet(queue, false)) {
                take.accept(each);
            }
        });
    }

    private static Received received(GetResponse response) {
        byte @Nullable [] key = null;
        List<Header> headers = new ArrayList<>();
        Map<String, Object> all = response.getProps().getHeaders();
        for (Map.Entry<String, Object> each : (all == null ? Map.<String, Object>of() : all).entrySet()) {
            byte[] value = ((LongString) each.getValue()).getBytes();
            if (each.getKey().equals(RabbitDestination.KEY_HEADER)) {
                key = value;
            } else {
                headers.add(new Header(each.getKey(), value));
            }
        }
        return new Received(key, response.getBody(), headers);
    }

    interface OnChannel {
        void run(Channel channel) throws Exception;
    }

    void run(OnChannel what) {
        try (Connection connection = connect()) {
            what.run(connection.createChannel());
        } catch (Exception e) {
            throw new AssertionError("RabbitMQ did not do what the test needs.", e);
        }
    }

    Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(server().uri());
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection();
    }

    /** Waits, because effects at the broker become visible with a delay. */
    static void eventually(Callable<Boolean> condition) throws Exception {
        Await.until("the broker shows it", condition::call);
    }

    @Override
    public void close() {
        if (server != null && settings.isEmpty()) {
            bringBack();
        } else if (server != null) {
            server.close();
        }
    }
}
