package dev.waybill.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.ConnectionFactory;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.PermanentFailureException;
import dev.waybill.inbox.SendBack;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.jdbc.JdbcTransactions;
import dev.waybill.rabbitmq.RabbitDeadLetters;
import dev.waybill.rabbitmq.RabbitDestination;
import dev.waybill.rabbitmq.RabbitOptions;
import dev.waybill.rabbitmq.RabbitSource;
import dev.waybill.rabbitmq.Topology;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Runs the consumer example of the RabbitMQ page. */
class RabbitConsumerExamplesTest {
    private static final String MESSAGE = "{\"event_id\":\"evt-1\",\"event_type\":\"ORDER_PLACED\",\"payload\":{}}";

    private final Stock stock = new Stock();

    /** Stand-in for the application. */
    private static final class Stock {
        private volatile boolean broken = true;

        void take(Connection connection, ReceivedEvent event) {
            if (broken || connection == null) {
                throw new PermanentFailureException("product not found: " + event.type());
            }
        }
    }

    @Test
    void a_consumer_handles_once_and_a_dead_letter_comes_back() throws Exception {
        String uri = SharedRabbit.server().uri();
        SharedRabbit.delete("inventory-service");
        try (PostgresServer postgres = PostgresServer.start()) {
            run(postgres.dataSource(postgres.createDatabase("rabbit")), uri);
        }
    }

    private void run(DataSource dataSource, String uri) throws Exception {
        JdbcInbox inbox = JdbcInbox.of(InboxLayout.waybill());
        try (Connection connection = dataSource.getConnection()) {
            inbox.create(connection);
        }
        // snippet: rabbitmq-consumer
        Topology topology = Topology.NONE
                .topicExchange("shop.exchange")
                .queue("inventory-service", Map.of("x-single-active-consumer", true))
                .binding("inventory-service", "shop.exchange", "order.#")
                .deadLetters("inventory-service.dlx", "inventory-service.dlt");
        RabbitOptions options = RabbitOptions.of(uri).topology(topology);

        RabbitDestination deadLetters = RabbitDestination.of(options.exchange("inventory-service.dlx"));
        EventConsumer consumer = EventConsumer.named("inventory-service", inbox, JdbcTransactions.on(dataSource))
                .from(RabbitSource.of(options, List.of("inventory-service")), MessageReader.notification())
                .on("ORDER_PLACED", (connection, event) -> stock.take(connection, event))
                .deadLettersTo(deadLetters)
                .start();
        // end
        try (deadLetters;
                consumer) {
            await(() -> isSent(uri));
            await(() -> consumer.statistics().dead() == 1);
            stock.broken = false;
            // snippet: rabbitmq-send-back
            try (RabbitDeadLetters box = RabbitDeadLetters.of(options)) {
                List<DeadLetterEntry> letters = box.list("inventory-service.dlt", 1_000);
                SendBack.of(box, 100).run(letters, new Actor("anna", "product is there now"), () -> true);
            }
            // end
            await(() -> consumer.statistics().handled() == 1);
        }
    }

    /** Retries until the consumer has declared its topology; before that, no queue exists for the message. */
    private static boolean isSent(String uri) {
        try {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setUri(uri);
            try (com.rabbitmq.client.Connection connection = factory.newConnection();
                    com.rabbitmq.client.Channel channel = connection.createChannel()) {
                AtomicBoolean returned = new AtomicBoolean();
                channel.addReturnListener(message -> returned.set(true));
                channel.confirmSelect();
                channel.basicPublish("shop.exchange", "order.placed", true, null, MESSAGE.getBytes(UTF_8));
                channel.waitForConfirms();
                return !returned.get();
            }
        } catch (Exception e) {
            return false;
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waited a minute in vain").isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
