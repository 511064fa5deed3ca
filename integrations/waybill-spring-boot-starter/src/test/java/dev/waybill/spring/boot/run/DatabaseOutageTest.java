package dev.waybill.spring.boot.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.testkit.Await;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The database of an application crashes and comes back. */
class DatabaseOutageTest {
    private static final int EVENTS = 60;
    private static final int CRASH_AT = 20;

    private final CountDownLatch handling = new CountDownLatch(1);
    private final CountDownLatch crashed = new CountDownLatch(1);
    private final AtomicInteger failedAppends = new AtomicInteger();

    @Test
    void events_have_one_effect_each_when_the_database_crashes_under_a_handler_and_comes_back() throws Exception {
        String topic = Servers.unique("items");
        try (PostgresServer server = PostgresServer.start();
                ConfigurableApplicationContext application = Servers.start(
                        Stock.class,
                        "spring.datasource.url=" + server.jdbcUrl(server.createDatabase("outage")),
                        "spring.datasource.hikari.connection-timeout=1000",
                        "waybill.relays.main.route.topic=" + topic,
                        "waybill.consumers.stock.destination=kafka",
                        "waybill.consumers.stock.topics=" + topic,
                        // the first failure that counts would be the last
                        "waybill.consumers.stock.retry.retries=0")) {
            application.getBean(Stock.Handlers.class).first = sold -> {
                if (sold.item().equals("item-" + CRASH_AT) && crashed.getCount() > 0) {
                    handling.countDown();
                    awaitLatch(crashed);
                }
            };
            CompletableFuture<Void> selling = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < EVENTS; i++) {
                    sellWhateverFails(application, "item-" + i);
                    if (i == CRASH_AT) {
                        awaitLatch(crashed);
                    }
                }
            });
            awaitLatch(handling);
            server.stopImmediately();
            crashed.countDown();
            Await.until("an append fails", () -> failedAppends.get() > 0);
            server.restart();

            selling.get(60, TimeUnit.SECONDS);
            JdbcClient jdbc = application.getBean(JdbcClient.class);
            Await.until("all effects", () -> number(jdbc, "select count(distinct item) from taken") == EVENTS);
            assertThat(number(jdbc, "select count(*) from taken")).isEqualTo(EVENTS);
            assertThat(number(jdbc, "select count(*) from waybill_inbox")).isEqualTo(EVENTS);
            assertThat(number(jdbc, "select count(*) from waybill.event")).isEqualTo(EVENTS);
            assertThat(application.getBean(RunningRelays.class).statuses()).allMatch(RunningRelays.Status::alive);
            assertThat(application.getBean(RunningConsumers.class).problems()).isEmpty();
            assertThat(application.getBean(RunningConsumers.class).statuses())
                    .allMatch(consumer -> consumer.statistics().orElseThrow().dead() == 0);
        }
    }

    /** Nobody knows whether a commit that failed happened: the same event is appended again if it is absent. */
    private void sellWhateverFails(ConfigurableApplicationContext application, String item) {
        Event event = Event.of(Stock.SOLD).aggregate("Item", item).payload(Payload.jsonOf(new Stock.Sold(item, 1)));
        SpringOutbox outbox = application.getBean(SpringOutbox.class);
        Await.until("append " + item, () -> {
            try {
                application
                        .getBean(TransactionTemplate.class)
                        .executeWithoutResult(status -> outbox.appendIfAbsent(event));
                return true;
            } catch (RuntimeException e) {
                failedAppends.incrementAndGet();
                return false;
            }
        });
    }

    private static int number(JdbcClient jdbc, String query) {
        return jdbc.sql(query).query(Integer.class).single();
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted.", e);
        }
    }
}
