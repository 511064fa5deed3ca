package dev.waybill.bench.namastack;

import dev.waybill.bench.kit.BenchSystem;
import dev.waybill.bench.kit.Business;
import dev.waybill.bench.kit.Endpoints;
import dev.waybill.bench.kit.MessageProducer;
import dev.waybill.bench.kit.SystemProcess;
import io.namastack.outbox.Outbox;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** namastack-outbox: a scheduler reads the records of its partitions and calls a handler for each, in order per key. */
final class NamastackSystem implements BenchSystem {
    private static final int BATCH = 2_000;
    private static final String INTERVAL = "1ms";
    private static final String COPY = """
            insert into outbox_record (id, status, record_key, record_type, payload, context, created_at, failure_count,
                                       next_retry_at, partition_no, handler_id)
            select gen_random_uuid()::text, 'NEW', r.record_key, r.record_type, r.payload, r.context,
                   r.created_at + g * interval '1 millisecond', 0, r.next_retry_at, r.partition_no, r.handler_id
              from generate_series(1, ?) g cross join (select * from outbox_record limit ?) r limit ?""";

    private final Endpoints endpoints;
    private final MessageProducer producer;
    private @Nullable ConfigurableApplicationContext context;

    NamastackSystem(Endpoints endpoints) throws IOException {
        this.endpoints = endpoints;
        this.producer = new MessageProducer(endpoints);
    }

    public static void main(String[] arguments) throws IOException {
        SystemProcess.run(arguments, NamastackSystem::new);
    }

    @Override
    public String description() {
        return endpoints.handlers() + " threads, batches of " + BATCH + " keys, polled every " + INTERVAL
                + ", completed records deleted, each send awaited";
    }

    /** A new context; polling has no switch of its own, so that it is off with an interval of a day. One without polling stays. */
    private ConfigurableApplicationContext open(boolean polling) {
        close(context);
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
                endpoints.handlers() + 8,
                "namastack.outbox.polling.batch-size",
                BATCH,
                "namastack.outbox.polling.fixed.interval",
                polling ? INTERVAL : "1d",
                "namastack.outbox.processing.executor-core-pool-size",
                endpoints.handlers(),
                "namastack.outbox.processing.executor-max-pool-size",
                endpoints.handlers(),
                "namastack.outbox.processing.delete-completed-records",
                polling));
        ConfigurableApplicationContext opened = new SpringApplicationBuilder(NamastackApplication.class)
                .properties(properties)
                .initializers((GenericApplicationContext beans) -> beans.registerBean(
                        MessageProducer.class, () -> producer, bean -> bean.setDestroyMethodName("")))
                .run();
        context = opened;
        return opened;
    }

    /** A context without polling, unless there is one. */
    private ConfigurableApplicationContext current() {
        ConfigurableApplicationContext open = context;
        return open == null ? open(false) : open;
    }

    @Override
    public void prepare(int events) throws SQLException {
        ConfigurableApplicationContext appending = current();
        try (Connection connection = endpoints.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("truncate outbox_record");
            List<Business.Message> sample = Business.sample(connection, events);
            Outbox outbox = appending.getBean(Outbox.class);
            new TransactionTemplate(appending.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(status -> sample.forEach(message -> outbox.schedule(message, message.key())));
            if (events > sample.size()) {
                try (PreparedStatement copy = connection.prepareStatement(COPY)) {
                    copy.setInt(1, events / sample.size());
                    copy.setInt(2, sample.size());
                    copy.setInt(3, events - sample.size());
                    copy.executeUpdate();
                }
            }
            statement.execute("vacuum analyze outbox_record");
            statement.execute("checkpoint");
        }
    }

    @Override
    public void start(String topic) throws SQLException {
        producer.topic(topic);
        stop();
        // Otherwise the new instance waits until the last one, which had all partitions, counts as dead.
        try (Connection connection = endpoints.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("truncate outbox_instance, outbox_partition");
        }
        open(true);
    }

    @Override
    public void stop() {
        close(context);
        context = null;
    }

    @Override
    public Optional<String> outbox() {
        return Optional.of("outbox_record");
    }

    @Override
    public synchronized Appender appender() {
        ConfigurableApplicationContext appending = current();
        TransactionTemplate transaction = new TransactionTemplate(appending.getBean(PlatformTransactionManager.class));
        JdbcClient jdbc = appending.getBean(JdbcClient.class);
        Outbox outbox = appending.getBean(Outbox.class);
        return new Appender() {
            @Override
            public void append(long number) {
                transaction.executeWithoutResult(status -> {
                    jdbc.sql(Business.INSERT)
                            .params(Business.key(number), Business.TOTAL)
                            .update();
                    String key = Business.key(number);
                    outbox.schedule(new Business.Message(key, Business.payload(number)), key);
                });
            }

            /** Nothing to do: connections belong to the pool. */
            @Override
            public void close() {}
        };
    }

    private static void close(@Nullable ConfigurableApplicationContext context) {
        if (context != null) {
            context.close();
        }
    }

    @Override
    public void close() {
        close(context);
        producer.close();
    }
}
