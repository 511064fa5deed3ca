package dev.waybill.bench.starter;

import dev.waybill.bench.kit.BenchSystem;
import dev.waybill.bench.kit.Business;
import dev.waybill.bench.kit.Endpoints;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.function.LongConsumer;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions of a Spring application. Nothing is sent from them here. */
abstract class SpringClients implements BenchSystem {
    private static final int CONNECTIONS = 8;

    private final Endpoints endpoints;
    private final ConfigurableApplicationContext context;

    SpringClients(Endpoints endpoints) {
        this.endpoints = endpoints;
        this.context = new SpringApplicationBuilder(StarterApplication.class)
                .properties(Map.of(
                        "spring.main.web-application-type",
                        "none",
                        "spring.main.banner-mode",
                        "off",
                        "logging.level.root",
                        "warn",
                        "spring.datasource.url",
                        endpoints.jdbcUrl(),
                        "spring.datasource.hikari.maximum-pool-size",
                        CONNECTIONS))
                .run();
    }

    /** What is appended in the transaction, by the number of the event. */
    abstract LongConsumer appending(ConfigurableApplicationContext application);

    @Override
    public final void prepare(int events) throws SQLException {
        if (events > 0) {
            throw new UnsupportedOperationException("Nothing drains " + description() + ".");
        }
        try (Connection connection = endpoints.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("truncate bench_order, waybill.event");
            statement.execute("checkpoint");
        }
    }

    @Override
    public final void start(String topic) {
        throw new UnsupportedOperationException("Nothing sends from " + description() + ".");
    }

    /** Nothing to do: it is never started. */
    @Override
    public final void stop() {}

    @Override
    public final Appender appender() {
        TransactionTemplate transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        JdbcClient jdbc = context.getBean(JdbcClient.class);
        LongConsumer event = appending(context);
        return new Appender() {
            @Override
            public void append(long number) {
                transaction.executeWithoutResult(status -> {
                    jdbc.sql(Business.INSERT)
                            .params(Business.key(number), Business.TOTAL)
                            .update();
                    event.accept(number);
                });
            }

            /** Nothing to do: connections belong to the pool. */
            @Override
            public void close() {}
        };
    }

    @Override
    public final void close() {
        context.close();
    }
}
