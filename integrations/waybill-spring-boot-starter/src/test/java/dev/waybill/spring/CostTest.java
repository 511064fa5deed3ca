package dev.waybill.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.spring.boot.WaybillDomainEventsAutoConfiguration;
import dev.waybill.spring.boot.WaybillOutboxAutoConfiguration;
import dev.waybill.spring.boot.WaybillStoresAutoConfiguration;
import dev.waybill.spring.shop.Shop;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What the starter adds to the start of an application and to a transaction. It prints figures and judges none. Contenders take
 * turns in short rounds, so that other work on the machine meets all of them.
 */
@Tag("full")
class CostTest {
    private static final int STARTS = 30;
    private static final int ROUNDS = 60;
    private static final int TRANSACTIONS = 150;
    private static final String INSERT = "insert into orders (total) values (990)";

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        JdbcTemplateAutoConfiguration.class,
        TransactionAutoConfiguration.class,
        JacksonAutoConfiguration.class
    })
    static class Without {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataSourceAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        JdbcTemplateAutoConfiguration.class,
        TransactionAutoConfiguration.class,
        JacksonAutoConfiguration.class,
        WaybillStoresAutoConfiguration.class,
        WaybillOutboxAutoConfiguration.class,
        WaybillDomainEventsAutoConfiguration.class
    })
    static class With {}

    @Test
    void start_up() {
        String url = TestDatabase.create();
        start(With.class, url, "--waybill.stores.main.schema=create").close();
        Map<String, List<Double>> times = new LinkedHashMap<>();
        for (int i = 0; i < STARTS; i++) {
            for (Class<?> application : List.of(Without.class, With.class)) {
                long begin = System.nanoTime();
                ConfigurableApplicationContext context = start(application, url);
                // the pool connects at the first use, in both
                context.getBean(JdbcTemplate.class).queryForObject("select 1", Integer.class);
                add(times, application.getSimpleName(), (System.nanoTime() - begin) / 1e6);
                context.close();
            }
        }
        print("start-up, ms", times);
    }

    @Test
    void a_transaction_of_one_row() throws Exception {
        try (ConfigurableApplicationContext context =
                start(With.class, TestDatabase.create(), "--waybill.stores.main.schema=create")) {
            JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
            jdbc.execute("create table orders (id bigint generated always as identity primary key, total int)");
            DataSource dataSource = context.getBean(DataSource.class);
            TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
            SpringOutbox outbox = context.getBean(SpringOutbox.class);
            JdbcOutbox plain = JdbcOutbox.journal();
            Map<String, Runnable> contenders = new LinkedHashMap<>();
            contenders.put("JDBC, row", () -> onConnection(dataSource, connection -> {}));
            contenders.put("JDBC, row and event", () -> onConnection(dataSource, c -> plain.append(c, event())));
            contenders.put("Spring, row", () -> transaction.executeWithoutResult(status -> jdbc.update(INSERT)));
            contenders.put(
                    "Spring, row and event by hand",
                    () -> transaction.executeWithoutResult(status -> {
                        jdbc.update(INSERT);
                        plain.append(DataSourceUtils.getConnection(dataSource), event());
                    }));
            contenders.put(
                    "Spring, row and event by the starter",
                    () -> transaction.executeWithoutResult(status -> {
                        jdbc.update(INSERT);
                        outbox.append(event());
                    }));
            Map<String, List<Double>> times = new LinkedHashMap<>();
            for (int round = -2; round < ROUNDS; round++) {
                for (Map.Entry<String, Runnable> contender : contenders.entrySet()) {
                    long begin = System.nanoTime();
                    for (int i = 0; i < TRANSACTIONS; i++) {
                        contender.getValue().run();
                    }
                    if (round >= 0) {
                        add(times, contender.getKey(), (System.nanoTime() - begin) / 1e3 / TRANSACTIONS);
                    }
                }
            }
            print("a transaction, µs (fsync " + jdbc.queryForObject("show fsync", String.class) + ")", times);
            assertThat(jdbc.queryForObject("select count(*) from waybill.event", Integer.class))
                    .isEqualTo(3 * (ROUNDS + 2) * TRANSACTIONS);
        }
    }

    private interface Work {
        void on(Connection connection) throws Exception;
    }

    private static void onConnection(DataSource dataSource, Work work) {
        try (Connection connection = dataSource.getConnection()) {
            connection.setAutoCommit(false);
            try (var statement = connection.prepareStatement(INSERT)) {
                statement.executeUpdate();
            }
            work.on(connection);
            connection.commit();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static Event event() {
        return Shop.event("42");
    }

    private static ConfigurableApplicationContext start(Class<?> application, String url, String... arguments) {
        return new SpringApplicationBuilder(application)
                .run(Stream.concat(Stream.of("--spring.datasource.url=" + url), Arrays.stream(arguments))
                        .toArray(String[]::new));
    }

    private static void add(Map<String, List<Double>> times, String name, double time) {
        times.computeIfAbsent(name, any -> new ArrayList<>()).add(time);
    }

    private static void print(String title, Map<String, List<Double>> times) {
        System.out.println(times.entrySet().stream()
                .map(entry -> {
                    List<Double> sorted = entry.getValue().stream().sorted().toList();
                    return String.format(
                            Locale.ROOT,
                            "  %-40s fastest %8.1f   first quartile %8.1f   median %8.1f",
                            entry.getKey(),
                            sorted.get(0),
                            sorted.get(sorted.size() / 4),
                            sorted.get(sorted.size() / 2));
                })
                .collect(Collectors.joining("\n", title + "\n", "")));
    }
}
