package dev.waybill.kafka;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import dev.waybill.tck.destination.DestinationHarness.Received;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A real Kafka that makes no topics by itself and can forbid some. */
final class Broker implements AutoCloseable {
    private static final AtomicInteger TOPICS = new AtomicInteger();

    private final KafkaServer server;
    private final Optional<KafkaProxy> proxy;

    Broker() {
        this(Map.of(), Optional.empty());
    }

    Broker(Map<String, String> extra) {
        this(extra, Optional.empty());
    }

    /** A broker whose clients connect through a proxy, which can let requests fail. */
    static Broker behindProxy() {
        KafkaProxy proxy = new KafkaProxy();
        // The broker sends itself the markers of transactions, through the proxy, too.
        Broker broker = new Broker(
                Map.of("advertised.listeners", "PLAINTEXT://" + proxy.address(), "request.timeout.ms", "2000"),
                Optional.of(proxy));
        proxy.forwardTo(broker.server.bootstrapServers());
        return broker;
    }

    private Broker(Map<String, String> extra, Optional<KafkaProxy> proxy) {
        this.proxy = proxy;
        Map<String, String> settings = new HashMap<>(Map.of(
                "auto.create.topics.enable", "false",
                "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users", "User:root",
                "allow.everyone.if.no.acl.found", "true"));
        settings.putAll(extra);
        server = KafkaServer.start(settings);
    }

    KafkaProxy proxy() {
        return proxy.orElseThrow();
    }

    KafkaServer server() {
        return server;
    }

    KafkaOptions options() {
        return KafkaOptions.of(Map.of("bootstrap.servers", server.bootstrapServers()))
                .deliveryTimeout(Duration.ofSeconds(3))
                .topicTimeout(Duration.ofMillis(300));
    }

    Outage outage() {
        return new Outage() {
            @Override
            public void begin() {
                server.stopBroker();
            }

            @Override
            public void end() {
                server.restartBroker();
            }
        };
    }

    String newTopic() {
        return newTopic(Map.of());
    }

    String newTopic(Map<String, String> settings) {
        String topic = unusedTopic();
        create(topic, settings);
        return topic;
    }

    static String unusedTopic() {
        return "topic-" + TOPICS.incrementAndGet();
    }

    void create(String topic, Map<String, String> settings) {
        create(topic, 3, settings);
    }

    void create(String topic, int partitions, Map<String, String> settings) {
        try (Admin admin = admin()) {
            NewTopic made = new NewTopic(topic, Optional.of(partitions), Optional.empty()).configs(settings);
            admin.createTopics(Set.of(made)).all().get();
            // The broker learns of it after the controller.
            eventually(() -> admin.listTopics().names().get().contains(topic));
        } catch (Exception e) {
            throw new AssertionError("The topic " + topic + " could not be made.", e);
        }
    }

    void rule(String topic, AclOperation operation, AclPermissionType permission) {
        AccessControlEntry entry = new AccessControlEntry("User:ANONYMOUS", "*", operation, permission);
        AclBinding binding = new AclBinding(pattern(topic), entry);
        try (Admin admin = admin()) {
            admin.createAcls(Set.of(binding)).all().get();
            // The broker learns of it after the controller.
            eventually(
                    () -> !admin.describeAcls(binding.toFilter()).values().get().isEmpty());
        } catch (Exception e) {
            throw new AssertionError("The rule for topic " + topic + " could not be made.", e);
        }
    }

    void forgetRules(String topic) {
        AclBindingFilter all = new AclBindingFilter(pattern(topic).toFilter(), AccessControlEntryFilter.ANY);
        try (Admin admin = admin()) {
            admin.deleteAcls(Set.of(all)).all().get();
            eventually(() -> admin.describeAcls(all).values().get().isEmpty());
        } catch (Exception e) {
            throw new AssertionError("The rules for topic " + topic + " could not be deleted.", e);
        }
    }

    /** From now on the broker acknowledges what this client sends very slowly. */
    void throttle(String clientId) {
        ClientQuotaEntity client = new ClientQuotaEntity(Map.of(ClientQuotaEntity.CLIENT_ID, clientId));
        ClientQuotaAlteration slow =
                new ClientQuotaAlteration(client, Set.of(new ClientQuotaAlteration.Op("producer_byte_rate", 1.0)));
        try (Admin admin = admin()) {
            admin.alterClientQuotas(Set.of(slow)).all().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("The client " + clientId + " could not be throttled.", e);
        }
    }

    void delete(String topic) {
        try (Admin admin = admin()) {
            admin.deleteTopics(Set.of(topic)).all().get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("The topic " + topic + " could not be deleted.", e);
        }
    }

    boolean exists(String topic) throws Exception {
        try (Admin admin = admin()) {
            return admin.listTopics().names().get().contains(topic);
        }
    }

    int partitionsOf(String topic) throws Exception {
        try (Admin admin = admin()) {
            return admin.describeTopics(Set.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions()
                    .size();
        }
    }

    void addPartitions(String topic, int total) throws Exception {
        try (Admin admin = admin()) {
            admin.createPartitions(Map.of(topic, NewPartitions.increaseTo(total)))
                    .all()
                    .get();
        }
        eventually(() -> partitionsOf(topic) == total);
    }

    String setting(String topic, String name) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try (Admin admin = admin()) {
            return admin.describeConfigs(Set.of(resource))
                    .all()
                    .get()
                    .get(resource)
                    .get(name)
                    .value();
        }
    }

    private static ResourcePattern pattern(String topic) {
        return new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
    }

    /** Waits, because effects at the broker become visible with a delay. */
    static void eventually(Callable<Boolean> condition) throws Exception {
        Await.until("the broker shows it", condition::call);
    }

    Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", server.bootstrapServers()));
    }

    /** Reads every partition from its beginning to its current end. */
    List<Received> everythingOn(String topic) {
        return everythingOn(server.bootstrapServers(), topic);
    }

    static List<Received> everythingOn(String bootstrapServers, String topic) {
        return read(Map.of("bootstrap.servers", bootstrapServers), topic);
    }

    /** What a consumer sees that reads committed messages only; those of transactions that are still open are left out. */
    List<Received> committedOn(String topic) {
        return read(Map.of("bootstrap.servers", server.bootstrapServers(), "isolation.level", "read_committed"), topic);
    }

    /**
     * Waits until no transaction on the topic is undecided: the coordinator answers a commit before it writes the markers into
     * the partitions, and tries again later when that fails.
     */
    void awaitDecided(String topic) throws Exception {
        try (Admin admin = admin()) {
            List<TopicPartition> partitions =
                    admin.describeTopics(Set.of(topic)).allTopicNames().get().get(topic).partitions().stream()
                            .map(info -> new TopicPartition(topic, info.partition()))
                            .toList();
            eventually(() -> ends(admin, partitions, IsolationLevel.READ_COMMITTED)
                    .equals(ends(admin, partitions, IsolationLevel.READ_UNCOMMITTED)));
        }
    }

    private static Map<TopicPartition, Long> ends(
            Admin admin, List<TopicPartition> partitions, IsolationLevel isolation) throws Exception {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        partitions.forEach(each -> latest.put(each, OffsetSpec.latest()));
        Map<TopicPartition, Long> ends = new HashMap<>();
        admin.listOffsets(latest, new ListOffsetsOptions(isolation))
                .all()
                .get()
                .forEach((partition, end) -> ends.put(partition, end.offset()));
        return ends;
    }

    private static List<Received> read(Map<String, Object> settings, String topic) {
        List<Received> received = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    received.add(received(record));
                }
            }
        }
        return received;
    }

    private static Received received(ConsumerRecord<byte[], byte[]> record) {
        List<Header> headers = new ArrayList<>();
        record.headers().forEach(header -> headers.add(new Header(header.key(), header.value())));
        return new Received(record.key(), record.value(), headers);
    }

    @Override
    public void close() {
        server.close();
        proxy.ifPresent(KafkaProxy::close);
    }
}
