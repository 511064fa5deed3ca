package dev.waybill.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class KafkaServerTest {

    @Test
    void what_is_sent_can_be_read_and_survives_a_restart_on_the_same_address() throws Exception {
        try (KafkaServer server = KafkaServer.start()) {
            String address = server.bootstrapServers();
            send(server, "t", "before");
            server.stopBroker();
            server.restartBroker();
            assertThat(server.bootstrapServers()).isEqualTo(address);
            send(server, "t", "after");
            assertThat(read(server, "t", 2)).containsExactlyInAnyOrder("before", "after");
        }
    }

    @Test
    void a_stopped_broker_accepts_no_request() throws Exception {
        try (KafkaServer server = KafkaServer.start()) {
            server.stopBroker();
            String address = server.bootstrapServers();
            int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertThat(free.isBound()).isTrue();
            }
            assertThatThrownBy(() -> send(server, "t", "x", Duration.ofSeconds(2)))
                    .hasRootCauseInstanceOf(TimeoutException.class)
                    .hasMessageContaining("not present in metadata");
        }
    }

    @Test
    void settings_override_the_defaults_but_not_the_address() throws Exception {
        Map<String, String> extra =
                Map.of("auto.create.topics.enable", "false", "num.partitions", "7", "log.dirs", "nowhere");
        try (KafkaServer server = KafkaServer.start(extra);
                Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()))) {
            assertThatThrownBy(() -> send(server, "missing", "x", Duration.ofSeconds(8)))
                    .hasRootCauseInstanceOf(UnknownTopicOrPartitionException.class);
            admin.createTopics(Set.of(new NewTopic("made", Optional.empty(), Optional.empty())))
                    .all()
                    .get();
            assertThat(admin.describeTopics(Set.of("made"))
                            .allTopicNames()
                            .get()
                            .get("made")
                            .partitions())
                    .hasSize(7);
        }
    }

    @Test
    void an_authorizer_can_forbid_one_topic() throws Exception {
        Map<String, String> extra = Map.of(
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users", "User:root",
                "allow.everyone.if.no.acl.found", "true");
        try (KafkaServer server = KafkaServer.start(extra);
                Admin admin = Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()))) {
            AclBinding denied = new AclBinding(
                    new ResourcePattern(ResourceType.TOPIC, "forbidden", PatternType.LITERAL),
                    new AccessControlEntry("User:ANONYMOUS", "*", AclOperation.ALL, AclPermissionType.DENY));
            admin.createAcls(Set.of(denied)).all().get();
            awaitInForce(admin, denied);
            assertThatThrownBy(() -> send(server, "forbidden", "x"))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(TopicAuthorizationException.class);
            send(server, "allowed", "y");
            assertThat(read(server, "allowed", 1)).containsExactly("y");
        }
    }

    @Test
    void closing_stops_it_and_deletes_its_data() {
        KafkaServer server = KafkaServer.start();
        assertThat(server.directory()).isNotEmptyDirectory();
        server.close();
        server.close();
        assertThat(server.directory()).doesNotExist();
        assertThatThrownBy(server::restartBroker).hasMessageContaining("closed");
    }

    /** The broker learns of a rule after the controller. */
    private static void awaitInForce(Admin admin, AclBinding rule) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (admin.describeAcls(rule.toFilter()).values().get().isEmpty()) {
            assertThat(System.nanoTime()).as("the rule did not come into force").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }

    private static void send(KafkaServer server, String topic, String value)
            throws ExecutionException, InterruptedException {
        send(server, topic, value, Duration.ofSeconds(60));
    }

    private static void send(KafkaServer server, String topic, String value, Duration wait)
            throws ExecutionException, InterruptedException {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", server.bootstrapServers(), "max.block.ms", "" + wait.toMillis());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(topic, value.getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
    }

    private static Collection<String> read(KafkaServer server, String topic, int count) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", server.bootstrapServers(), "group.id", "reader", "auto.offset.reset", "earliest");
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (values.size() < count && System.nanoTime() < deadline) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
                    values.add(new String(record.value(), StandardCharsets.UTF_8));
                }
            }
        }
        return values;
    }
}
