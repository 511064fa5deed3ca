package dev.waybill.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import dev.waybill.Inbox;
import dev.waybill.Incoming;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.embedded.RabbitServer;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.EnableRabbit;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Runs the examples of the inbox in Spring listeners: each event is delivered twice and has one effect. */
class ListenerExamplesTest {
    private static final List<String> EVENTS = List.of("e-1", "e-2", "e-1", "e-2", "e-3");

    private static PostgresServer postgres;

    private final DataSource dataSource = postgres.dataSource(postgres.createDatabase("listener"));
    private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
    private final JdbcInbox inbox = inboxOn(dataSource);

    /** Stand-in for the application. */
    static class KafkaStock {
        private final JdbcTemplate jdbc;
        private final Inbox<Connection> inbox;

        KafkaStock(JdbcTemplate jdbc, Inbox<Connection> inbox) {
            this.jdbc = jdbc;
            this.inbox = inbox;
        }

        // snippet: listener-kafka
        @Transactional
        @KafkaListener(topics = "order.order.placed.v1", groupId = "inventory-service")
        public void placed(ConsumerRecord<String, String> message) {
            String eventId = new String(message.headers().lastHeader("event-id").value(), UTF_8);
            ConnectionCallback<Inbox.Outcome> once = connection -> inbox.handleOnce(
                    connection,
                    "inventory-service",
                    Incoming.event(eventId),
                    transaction -> jdbc.update("insert into taken (order_id) values (?)", message.key()));
            jdbc.execute(once);
        }
        // end
    }

    /** Stand-in for the application. */
    static class RabbitStock {
        private final JdbcTemplate jdbc;
        private final Inbox<Connection> inbox;

        RabbitStock(JdbcTemplate jdbc, Inbox<Connection> inbox) {
            this.jdbc = jdbc;
            this.inbox = inbox;
        }

        // snippet: listener-rabbit
        @Transactional
        @RabbitListener(queues = "inventory-service")
        public void placed(@Header("event-id") String eventId, @Header("event-key") String orderId) {
            ConnectionCallback<Inbox.Outcome> once = connection -> inbox.handleOnce(
                    connection,
                    "inventory-service",
                    Incoming.event(eventId),
                    transaction -> jdbc.update("insert into taken (order_id) values (?)", orderId));
            jdbc.execute(once);
        }
        // end
    }

    @EnableKafka
    @EnableTransactionManagement(proxyTargetClass = true)
    static class WithKafka {}

    @EnableRabbit
    @EnableTransactionManagement(proxyTargetClass = true)
    static class WithRabbit {}

    @BeforeAll
    static void start() {
        postgres = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    @Test
    void in_a_listener_of_spring_kafka_each_effect_happens_once() throws Exception {
        try (KafkaServer kafka = KafkaServer.start();
                AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            sendToKafka(kafka);
            Map<String, Object> properties =
                    Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest");
            ConcurrentKafkaListenerContainerFactory<String, String> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(
                    new DefaultKafkaConsumerFactory<>(properties, new StringDeserializer(), new StringDeserializer()));
            context.registerBean(
                    "kafkaListenerContainerFactory", ConcurrentKafkaListenerContainerFactory.class, () -> factory);
            context.registerBean(KafkaStock.class, () -> new KafkaStock(jdbc, inbox));
            run(context, WithKafka.class);
        }
    }

    @Test
    void in_a_listener_of_spring_amqp_each_effect_happens_once() throws Exception {
        RabbitServer rabbit = SharedRabbit.server();
        SharedRabbit.delete("inventory-service");
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            CachingConnectionFactory connections = new CachingConnectionFactory(URI.create(rabbit.uri()));
            sendToRabbit(connections);
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            factory.setConnectionFactory(connections);
            context.registerBean("connections", CachingConnectionFactory.class, () -> connections);
            context.registerBean(
                    "rabbitListenerContainerFactory", SimpleRabbitListenerContainerFactory.class, () -> factory);
            context.registerBean(RabbitStock.class, () -> new RabbitStock(jdbc, inbox));
            run(context, WithRabbit.class);
        }
    }

    private void run(AnnotationConfigApplicationContext context, Class<?> what) {
        jdbc.execute("create table taken (order_id text)");
        context.register(what);
        context.registerBean(JdbcTransactionManager.class, () -> new JdbcTransactionManager(dataSource));
        context.refresh();
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!taken().contains("order of e-3")) {
            assertThat(System.nanoTime()).as("waited a minute in vain").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        assertThat(taken()).containsExactlyInAnyOrder("order of e-1", "order of e-2", "order of e-3");
    }

    private List<String> taken() {
        return jdbc.queryForList("select order_id from taken", String.class);
    }

    private static void sendToKafka(KafkaServer kafka) throws Exception {
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            for (String id : EVENTS) {
                ProducerRecord<String, String> message =
                        new ProducerRecord<>("order.order.placed.v1", 0, "order of " + id, "{}");
                message.headers().add("event-id", id.getBytes(UTF_8));
                producer.send(message).get();
            }
        }
    }

    private static void sendToRabbit(CachingConnectionFactory connections) throws Exception {
        try (Channel channel = connections.createConnection().createChannel(false)) {
            channel.queueDeclare("inventory-service", true, false, false, Map.of());
            for (String id : EVENTS) {
                Map<String, Object> headers = Map.of("event-id", id, "event-key", "order of " + id);
                channel.basicPublish(
                        "",
                        "inventory-service",
                        new BasicProperties.Builder().headers(headers).build(),
                        "{}".getBytes(UTF_8));
            }
        }
    }

    private static JdbcInbox inboxOn(DataSource dataSource) {
        try (Connection connection = dataSource.getConnection()) {
            JdbcInbox inbox = JdbcInbox.of(InboxLayout.waybill());
            inbox.create(connection);
            return inbox;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
