package dev.waybill.spring.boot.run;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.SharedPostgres;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** One PostgreSQL and one Kafka for all tests of relays and consumers. */
public final class Servers {
    static final String WITHOUT_MONGO = "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration,"
            + "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration,"
            + "org.springframework.boot.data.mongodb.autoconfigure.DataMongoRepositoriesAutoConfiguration";

    /** The modules of other brokers are on the class path of all tests. */
    static final String KAFKA_ONLY =
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration," + WITHOUT_MONGO;

    private static final KafkaServer KAFKA = KafkaServer.start();
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private Servers() {}

    public static KafkaServer kafka() {
        return KAFKA;
    }

    /** The URL of a new database. */
    public static String database() {
        PostgresServer server = SharedPostgres.server();
        return server.jdbcUrl(server.createDatabase("run_" + NUMBER.incrementAndGet()));
    }

    /** A name that no other test uses. */
    public static String unique(String prefix) {
        return prefix + "-" + NUMBER.incrementAndGet();
    }

    /**
     * An application with relays and consumers, on a new database.
     *
     * @param properties given as arguments, which win over the files of the class path; without those that have no value
     */
    public static ConfigurableApplicationContext start(Class<?> application, String... properties) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("spring.datasource.url", database());
        all.put("waybill.stores.main.schema", "create");
        all.put("waybill.relays.main.destination", "kafka");
        all.put("waybill.auto-startup", "true");
        all.put("spring.kafka.bootstrap-servers", KAFKA.bootstrapServers());
        all.put("spring.application.name", "shop");
        all.put("spring.autoconfigure.exclude", WITHOUT_MONGO);
        all.put("spring.flyway.enabled", "false");
        all.put("spring.liquibase.enabled", "false");
        all.put("spring.main.banner-mode", "off");
        for (String each : properties) {
            int equals = each.indexOf('=');
            all.put(each.substring(0, equals), each.substring(equals + 1));
        }
        all.values().removeIf(String::isEmpty);
        return new SpringApplicationBuilder(application)
                .run(all.entrySet().stream()
                        .map(each -> "--" + each.getKey() + "=" + each.getValue())
                        .toArray(String[]::new));
    }

    /** The first message of a topic with this text in its value. */
    public static ConsumerRecord<byte[], byte[]> message(String topic, String text) {
        List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        KAFKA.bootstrapServers(),
                        "group.id",
                        unique("reader"),
                        "auto.offset.reset",
                        "earliest",
                        "metadata.max.age.ms",
                        "200"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(topic));
            Await.until("a message in " + topic + " with " + text, () -> {
                for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofMillis(100))) {
                    if (text(message).contains(text)) {
                        found.add(message);
                    }
                }
                return !found.isEmpty();
            });
        }
        return found.get(0);
    }

    public static String text(ConsumerRecord<byte[], byte[]> message) {
        return new String(message.value(), StandardCharsets.UTF_8);
    }
}
