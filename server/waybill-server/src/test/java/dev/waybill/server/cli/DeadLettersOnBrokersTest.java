package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublisherGrpc;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.SubscriberGrpc;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.embedded.PubSubEmulator;
import dev.waybill.embedded.RabbitServer;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.HeaderNames;
import dev.waybill.testkit.Await;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a person does with dead letters of a real RabbitMQ or Pub/Sub is in the audit of the store that publishes there. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DeadLettersOnBrokersTest {
    private static final String ORIGIN = "orders-billing";
    private static final String DEAD = "orders-billing.dlt";
    private static PostgresServer postgres;

    private final Cli cli = new Cli();
    private String config = "";

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        postgres = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @Test
    void on_rabbitmq() throws Exception {
        assumeTrue(RabbitServer.isInstalled());
        try (RabbitServer rabbit = RabbitServer.start()) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(rabbit.uri());
            try (Connection connection = factory.newConnection();
                    Channel channel = connection.createChannel()) {
                channel.queueDeclare(ORIGIN, true, false, false, Map.of());
                channel.queueDeclare(DEAD, true, false, false, Map.of());
                BasicProperties properties = new BasicProperties.Builder()
                        .headers(Map.of(HeaderNames.DEAD_LETTER_TOPIC, ORIGIN))
                        .build();
                BasicProperties nowhere = new BasicProperties.Builder()
                        .headers(Map.of(HeaderNames.DEAD_LETTER_TOPIC, "nowhere"))
                        .build();
                channel.confirmSelect();
                for (byte[] letter : letters()) {
                    channel.basicPublish("", DEAD, properties, letter);
                }
                channel.waitForConfirmsOrDie(10_000);
                configure("{ type: rabbitmq, uri: \"" + rabbit.uri() + "\", dead-letters: [" + DEAD + ", none] }");
                assertThat(run("dead-letters", "count")).as(cli.err()).isZero();
                assertThat(cli.out())
                        .containsPattern("broker +" + DEAD + " +- +2")
                        .doesNotContain("none");
                run("doctor");
                assertThat(cli.out().replaceAll("\\s+", " "))
                        .contains("warning dead letters " + DEAD + ": 2 letters wait for an operator → waybill")
                        .contains("warning dead letters none does not exist");
                sendBackOneAndDiscardOne();
                assertThat(channel.messageCount(ORIGIN)).isEqualTo(1);
                assertThat(channel.messageCount(DEAD)).isZero();

                channel.basicPublish("", DEAD, nowhere, letters().get(0));
                channel.basicPublish("", DEAD, properties, unreadable());
                for (byte[] letter : letters()) {
                    channel.basicPublish("", DEAD, properties, letter);
                }
                channel.waitForConfirmsOrDie(10_000);
                sendBackAllButTwoAndDiscardThose();
                assertThat(channel.messageCount(ORIGIN)).isEqualTo(3);
                assertThat(channel.messageCount(DEAD)).isZero();
                assertThat(run("dead-letters", "list", DEAD)).isZero();
                assertThat(cli.err()).doesNotContain("Warning");
                assertThat(run("dead-letters", "list", ORIGIN)).isZero();
                assertThat(cli.err()).contains("Warning: " + ORIGIN + " is not known as a place of dead letters");
            }
        }
    }

    @Test
    void on_pubsub() throws Exception {
        Optional<PubSubEmulator> installed = PubSubEmulator.startIfInstalled();
        assumeTrue(installed.isPresent());
        try (PubSubEmulator emulator = installed.orElseThrow()) {
            ManagedChannel channel = NettyChannelBuilder.forTarget(emulator.address())
                    .usePlaintext()
                    .build();
            try {
                create(channel, ORIGIN);
                create(channel, DEAD);
                for (byte[] letter : letters()) {
                    publish(channel, letter, ORIGIN);
                }
                configure("{ type: pubsub, project: demo, emulator: \"" + emulator.address() + "\" }");
                assertThat(run("dead-letters", "count")).as(cli.err()).isZero();
                assertThat(cli.out()).containsPattern("broker +" + DEAD + " +billing +2");
                sendBackOneAndDiscardOne();

                publish(channel, letters().get(0), "nowhere");
                publish(channel, unreadable(), ORIGIN);
                for (byte[] letter : letters()) {
                    publish(channel, letter, ORIGIN);
                }
                sendBackAllButTwoAndDiscardThose();
            } finally {
                channel.shutdownNow();
            }
        }
    }

    private static void publish(ManagedChannel channel, byte[] letter, String origin) {
        PublisherGrpc.newBlockingStub(channel)
                .publish(PublishRequest.newBuilder()
                        .setTopic("projects/demo/topics/" + DEAD)
                        .addMessages(PubsubMessage.newBuilder()
                                .setData(ByteString.copyFrom(letter))
                                .putAttributes(HeaderNames.DEAD_LETTER_TOPIC, origin))
                        .build());
    }

    private static byte[] unreadable() {
        return "\ufeff{}".getBytes(StandardCharsets.UTF_8);
    }

    private static void create(ManagedChannel channel, String name) {
        PublisherGrpc.newBlockingStub(channel)
                .createTopic(Topic.newBuilder()
                        .setName("projects/demo/topics/" + name)
                        .build());
        SubscriberGrpc.newBlockingStub(channel)
                .createSubscription(Subscription.newBuilder()
                        .setName("projects/demo/subscriptions/" + name)
                        .setTopic("projects/demo/topics/" + name)
                        .setAckDeadlineSeconds(60)
                        .build());
    }

    private static List<byte[]> letters() {
        List<byte[]> letters = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            byte[] original = ("{\"n\":" + i + "}").getBytes(StandardCharsets.UTF_8);
            letters.add(new DeadLetterBody(Optional.of("evt-" + i), original, "no stock", Instant.now(), "billing")
                    .toJson());
        }
        return letters;
    }

    private void configure(String destination) throws Exception {
        JournalScene journal = JournalScene.create(postgres);
        config = Files.writeString(directory.resolve("waybill.yaml"), """
                stores: { orders: { type: postgres-journal, url: "%s" } }
                destinations: { broker: %s }
                relays: { to-broker: { store: orders, destination: broker } }
                """.formatted(journal.url(), destination))
                .toString();
    }

    private int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-c", config));
        return cli.run(all.toArray(new String[0]));
    }

    /** One came from a place that is not there, and one cannot be read. */
    private void sendBackAllButTwoAndDiscardThose() throws Exception {
        Await.until("all letters are listed", () -> {
            assertThat(run("dead-letters", "list", DEAD, "--json"))
                    .as(cli.err())
                    .isZero();
            return cli.json().size() == 4;
        });
        int code = run("dead-letters", "send-back", DEAD, "--all", "--yes", "--as", "ada");
        assertThat(code).as(cli.err()).isEqualTo(ExitCode.FAILED.number());
        assertThat(cli.out()).contains("sent back 2; 2 failed and are kept", "nowhere", "cannot be read");
        assertThat(run("audit", "--json")).isZero();
        assertThat(cli.json().toString()).containsPattern("(?s)(send-back-failed.*){2}");
        Await.until("both are listed", () -> {
            assertThat(run("dead-letters", "list", DEAD)).as(cli.err()).isZero();
            return cli.out().contains("byte order mark") && cli.out().lines().count() == 3;
        });
        assertThat(run("dead-letters", "discard", DEAD, "--all", "--yes", "--as", "ada", "--reason", "test data"))
                .as(cli.err())
                .isZero();
        assertThat(cli.out()).contains("discarded 2");
    }

    private void sendBackOneAndDiscardOne() throws Exception {
        Await.until("both letters are listed", () -> {
            assertThat(run("dead-letters", "list", DEAD, "--json"))
                    .as(cli.err())
                    .isZero();
            return cli.json().size() == 2;
        });
        JsonNode first = cli.json().get(0);
        String place = first.get("place").asString();
        assertThat(run("dead-letters", "send-back", DEAD, place, "nowhere", "--yes", "--as", "ada"))
                .as(cli.err())
                .isEqualTo(ExitCode.FAILED.number());
        assertThat(cli.out()).contains("sent back 1; 1 does not exist");
        Await.until("the other is discarded", () -> {
            int code = run("dead-letters", "discard", DEAD, "--all", "--yes", "--as", "ada", "--reason", "test data");
            return code == 0 && cli.out().contains("discarded 1");
        });
        assertThat(run("audit", "--json")).isZero();
        assertThat(cli.json().size()).isEqualTo(2);
        assertThat(cli.json().get(0).toString()).contains("discard-letter", DEAD, "test data", "ada");
        assertThat(cli.json().get(1).toString())
                .contains("send-back", DEAD, first.get("eventId").asString(), "ada");
    }
}
