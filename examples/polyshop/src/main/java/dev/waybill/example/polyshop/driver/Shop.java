package dev.waybill.example.polyshop.driver;

import com.zaxxer.hikari.HikariDataSource;
import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.KafkaTopics;
import dev.waybill.example.kit.Sql;
import dev.waybill.example.polyshop.common.EventTypes;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.TableSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The servers, with a database for each service and the topics of all events. */
final class Shop {
    private final Map<Service, String> databases = new EnumMap<>(Service.class);
    private final Map<Service, Sql> sql = new EnumMap<>(Service.class);
    private final Map<Service, Integer> ports = new EnumMap<>(Service.class);
    private final PostgresServer postgres;
    final KafkaServer kafka;
    final KafkaTopics topics;

    private Shop(PostgresServer postgres, KafkaServer kafka) {
        this.postgres = postgres;
        this.kafka = kafka;
        this.topics = new KafkaTopics(kafka.bootstrapServers());
    }

    static Shop open(ExampleRun run) throws Exception {
        run.say("starting PostgreSQL and Kafka …");
        Shop shop = new Shop(run.closing(PostgresServer.start()), run.closing(KafkaServer.start()));
        shop.topics.create(EventTypes.all().stream()
                .flatMap(type -> Stream.of(type, type + ".dlt"))
                .toArray(String[]::new));
        for (Service service : Service.values()) {
            shop.ports.put(service, FreePort.choose());
            if (service.hasDatabase()) {
                shop.createDatabase(service, run);
            }
        }
        shop.prepare(Service.PAYMENT);
        shop.prepare(Service.NOTIFICATION);
        return shop;
    }

    private void createDatabase(Service service, ExampleRun run) {
        databases.put(service, postgres.createDatabase(service.name().toLowerCase(Locale.ROOT)));
        HikariDataSource pool = run.closing(new HikariDataSource());
        pool.setJdbcUrl(jdbcUrl(service));
        pool.setMaximumPoolSize(2);
        pool.setMinimumIdle(0);
        sql.put(service, new Sql(pool));
    }

    /** The Java services create their tables when they start; those in Node.js and Python have scripts. */
    private void prepare(Service service) throws IOException, SQLException {
        String script = Files.readString(
                (service == Service.PAYMENT ? Tools.payment() : Tools.notification()).resolve("schema.sql"));
        in(service).execute(script);
        TableLayout layout = TableLayout.polyshop()
                .change()
                .column(TableColumn.HEADERS, "headers")
                .build();
        try (Connection connection = postgres.dataSource(database(service)).getConnection()) {
            TableSchema.create(connection, layout);
        }
    }

    private String database(Service service) {
        return Objects.requireNonNull(databases.get(service), service.label);
    }

    String jdbcUrl(Service service) {
        return postgres.jdbcUrl(database(service));
    }

    /** For programs that are not Java. */
    String url(Service service) {
        return "postgresql://postgres@127.0.0.1:" + postgres.port() + "/" + database(service);
    }

    int port(Service service) {
        return Objects.requireNonNull(ports.get(service));
    }

    Sql in(Service service) {
        return Objects.requireNonNull(sql.get(service), service.label);
    }

    long count(Service service, String fromAndWhere) throws SQLException {
        return in(service).number("select count(*) from " + fromAndWhere);
    }
}
