package dev.waybill.bench.modulith;

import dev.waybill.bench.kit.BenchSystem;
import dev.waybill.bench.kit.Business;
import dev.waybill.bench.kit.Endpoints;
import dev.waybill.bench.kit.SystemProcess;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.modulith.events.ResubmissionOptions;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring Modulith's event publication registry: a listener sends an event after its commit, and its publication is deleted. A
 * backlog is what has failed; it is resubmitted in batches.
 */
final class ModulithSystem implements BenchSystem {
    private static final int BATCH = 2_000;

    /** New events are sent by their listeners; resubmission is for those that failed. */
    private static final Duration IDLE = Duration.ofSeconds(1);

    private static final Duration DRAINING = Duration.ofMillis(1);

    /** As if the broker had been away: batches are made of what has failed. */
    private static final String FAIL =
            "update event_publication set status = 'FAILED', publication_date = now() - interval '1 day'";

    private static final String COPY = """
            insert into event_publication (id, listener_id, event_type, serialized_event, publication_date, status,
                                           completion_attempts)
            select gen_random_uuid(), p.listener_id, p.event_type,
                   replace(p.serialized_event, '"number":0', '"number":' || g), p.publication_date, p.status,
                   p.completion_attempts
              from generate_series(1, ?) g cross join (select * from event_publication limit ?) p limit ?""";

    private final Endpoints endpoints;
    private final Sending sending;
    private final ConfigurableApplicationContext context;
    private volatile Duration pause = IDLE;
    private @Nullable Thread resubmitting;

    ModulithSystem(Endpoints endpoints) throws IOException {
        this.endpoints = endpoints;
        this.sending = new Sending(endpoints.handlers());
        Map<String, Object> properties = new HashMap<>(Map.of(
                "spring.main.web-application-type",
                "none",
                "spring.main.banner-mode",
                "off",
                "logging.level.root",
                "warn",
                "spring.datasource.url",
                endpoints.jdbcUrl(),
                "spring.datasource.hikari.maximum-pool-size",
                2 * endpoints.handlers() + 8,
                "spring.modulith.events.jdbc.schema-initialization.enabled",
                true,
                "spring.modulith.events.completion-mode",
                "delete"));
        // It sends strings; the others send bytes.
        endpoints.producer().forEach((name, value) -> {
            if (!name.endsWith(".serializer")) {
                properties.put("spring.kafka.producer.properties." + name, value);
            }
        });
        properties.put(
                "spring.kafka.producer.key-serializer", "org.apache.kafka.common.serialization.StringSerializer");
        properties.put(
                "spring.kafka.producer.value-serializer", "org.apache.kafka.common.serialization.StringSerializer");
        properties.put("spring.kafka.bootstrap-servers", endpoints.producer().get("bootstrap.servers"));
        this.context = new SpringApplicationBuilder(ModulithApplication.class)
                .properties(properties)
                .initializers((GenericApplicationContext beans) ->
                        beans.registerBean(Sending.class, () -> sending, bean -> bean.setDestroyMethodName("")))
                .run();
    }

    public static void main(String[] arguments) throws IOException {
        SystemProcess.run(arguments, ModulithSystem::new);
    }

    @Override
    public String description() {
        return endpoints.handlers() + " listener threads, each send awaited, a backlog resubmitted in batches of "
                + BATCH + " without pause, otherwise once a second, completion mode delete";
    }

    @Override
    public void prepare(int events) throws SQLException {
        pause = events > 0 ? DRAINING : IDLE;
        try (Connection connection = endpoints.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("truncate event_publication");
            List<Business.Message> sample = Business.sample(connection, events);
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(status -> sample.forEach(
                            message -> context.publishEvent(new Changed(message.key(), message.value(), 0))));
            if (events > sample.size()) {
                try (PreparedStatement copy = connection.prepareStatement(COPY)) {
                    copy.setInt(1, events / sample.size());
                    copy.setInt(2, sample.size());
                    copy.setInt(3, events - sample.size());
                    copy.executeUpdate();
                }
            }
            statement.execute(FAIL);
            statement.execute("vacuum analyze event_publication");
            statement.execute("checkpoint");
        }
    }

    @Override
    public void start(String topic) {
        sending.begin(topic);
        Thread thread = new Thread(this::resubmit, "resubmit");
        resubmitting = thread;
        thread.start();
    }

    /** Events of the last minute are sent by their listeners. */
    private void resubmit() {
        IncompleteEventPublications incomplete = context.getBean(IncompleteEventPublications.class);
        ResubmissionOptions options = ResubmissionOptions.defaults()
                .withBatchSize(BATCH)
                .withMaxInFlight(BATCH)
                .withMinAge(Duration.ofMinutes(1));
        while (!Thread.currentThread().isInterrupted()) {
            incomplete.resubmitIncompletePublications(options);
            LockSupport.parkNanos(pause.toNanos());
        }
    }

    @Override
    public void stop() throws InterruptedException {
        Thread thread = resubmitting;
        if (thread != null) {
            thread.interrupt();
            thread.join();
        }
        sending.end();
    }

    @Override
    public Optional<String> outbox() {
        return Optional.of("event_publication");
    }

    @Override
    public Appender appender() {
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        JdbcClient jdbc = context.getBean(JdbcClient.class);
        return new Appender() {
            @Override
            public void append(long number) {
                transaction.executeWithoutResult(status -> {
                    jdbc.sql(Business.INSERT)
                            .params(Business.key(number), Business.TOTAL)
                            .update();
                    context.publishEvent(new Changed(Business.key(number), Business.payload(number), number));
                });
            }

            /** Nothing to do: connections belong to the pool. */
            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {
        sending.close();
        context.close();
    }
}
