package dev.waybill.spring.boot.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spring.HandlesOnce;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.WaybillTelemetryAutoConfiguration;
import dev.waybill.spring.boot.run.RunningConsumers;
import dev.waybill.spring.boot.run.Servers;
import dev.waybill.spring.boot.run.Stock;
import dev.waybill.spring.boot.store.WaybillStores;
import dev.waybill.telemetry.metrics.WaybillMeters;
import dev.waybill.testkit.Await;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

class WatchStoresTest {
    private static final String TOPIC = Servers.unique("sold");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class GivesUp {
        @Bean
        Handlers handlers() {
            return new Handlers();
        }
    }

    /** Has no readings of its own. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = WaybillTelemetryAutoConfiguration.class)
    static class NoMeters {}

    static class Handlers {
        @HandlesOnce(consumer = "stock", type = Stock.SOLD)
        void stock(Stock.Sold sold) {
            throw new IllegalStateException("no stock");
        }

        @HandlesOnce(consumer = "audit", type = Stock.SOLD)
        void audit(Stock.Sold sold) {
            throw new IllegalStateException("no audit");
        }

        @HandlesOnce(consumer = "far", type = Stock.SOLD)
        void far(Stock.Sold sold) {}
    }

    @Test
    void letters_of_consumers_that_share_a_topic_count_once_and_those_of_pubsub_are_left_to_operators() {
        try (ConfigurableApplicationContext application = Servers.start(
                GivesUp.class,
                "waybill.relays.main.route.topic=" + TOPIC,
                "waybill.consumers.stock.destination=kafka",
                "waybill.consumers.stock.topics=" + TOPIC,
                "waybill.consumers.stock.retry.retries=0",
                "waybill.consumers.audit.destination=kafka",
                "waybill.consumers.audit.topics=" + TOPIC,
                "waybill.consumers.audit.retry.retries=0",
                "waybill.destinations.kafka.type=kafka",
                "waybill.destinations.pubsub.type=pubsub",
                "waybill.destinations.pubsub.project=shop",
                "waybill.destinations.pubsub.emulator=127.0.0.1:1",
                "waybill.consumers.far.destination=pubsub",
                "waybill.consumers.far.topics=far",
                "waybill.consumers.far.auto-startup=false")) {
            application
                    .getBean(TransactionTemplate.class)
                    .executeWithoutResult(status -> Stock.sell(application.getBean(SpringOutbox.class), "apple", 2));
            RunningConsumers consumers = application.getBean(RunningConsumers.class);
            Await.until(
                    "both have given up",
                    () -> consumers.statuses().stream()
                                    .flatMap(consumer -> consumer.statistics().stream())
                                    .mapToLong(statistics -> statistics.dead())
                                    .sum()
                            == 2);

            WatchStores watch =
                    new WatchStores(WaybillMeters.in(registry), application.getBean(WaybillStores.class), consumers);
            watch.onApplicationEvent(new ContextRefreshedEvent(application));
            Await.until("letters are counted", () -> letters("stock").isPresent());
            assertThat(letters("stock")).contains(1.0);
            assertThat(letters("audit")).contains(1.0);
            assertThat(registry.find("waybill.dead.letters.up")
                            .tag("destination", "pubsub")
                            .gauge())
                    .as("counting there would withhold letters from operators")
                    .isNull();
            watch.destroy();
        }
    }

    /** After a slow reading the next one is not soon: meanwhile nobody would notice that the store went down. */
    @Test
    void values_of_a_store_that_was_slow_are_gone_after_a_minute() throws Exception {
        MockClock clock = new MockClock();
        SimpleMeterRegistry aged = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
        try (ConfigurableApplicationContext application =
                        Servers.start(NoMeters.class, "waybill.relays.main.auto-startup=false");
                Connection connection = application.getBean(DataSource.class).getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("lock table waybill.relay in access exclusive mode");
            WatchStores watch = new WatchStores(
                    WaybillMeters.in(aged),
                    application.getBean(WaybillStores.class),
                    application.getBean(RunningConsumers.class));
            watch.onApplicationEvent(new ContextRefreshedEvent(application));
            JdbcClient jdbc = application.getBean(JdbcClient.class);
            Await.until(
                    "the reading waits",
                    () -> jdbc.sql("select count(*) from pg_locks where not granted and database = (select oid from"
                                            + " pg_database where datname = current_database())")
                                    .query(Integer.class)
                                    .single()
                            > 0);
            clock.add(Duration.ofSeconds(8));
            connection.commit();
            Gauge up = aged.get("waybill.store.up").gauge();
            Await.until("it is read", () -> up.value() == 1);
            clock.add(Duration.ofSeconds(61));
            assertThat(up.value()).isZero();
            watch.destroy();
        }
    }

    private Optional<Double> letters(String consumer) {
        return Optional.ofNullable(registry.find("waybill.dead.letters")
                        .tag("consumer", consumer)
                        .gauge())
                .map(Gauge::value);
    }
}
