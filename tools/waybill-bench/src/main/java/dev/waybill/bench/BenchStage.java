package dev.waybill.bench;

import dev.waybill.bench.pipes.Backlog;
import dev.waybill.bench.pipes.BarePipe;
import dev.waybill.bench.servers.Servers;
import dev.waybill.bench.systems.Stage;
import dev.waybill.format.Format;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.route.Route;
import dev.waybill.spi.OutboundMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import javax.sql.DataSource;

/** Servers with what measured systems share: tables of the application, and messages that all of them send. */
final class BenchStage {
    /** Messages of systems that send from memory, and rows that the peers' backlogs repeat. */
    static final int SAMPLE = 2_000;

    /** For two processors; more wait for a far server at the same time. */
    static final int HANDLERS = 16;

    static final int HANDLERS_FAR = 64;

    static final Format FORMAT = Format.envelope("order-service");

    private static final String TABLES = """
            create table bench_order (id bigint generated always as identity primary key, customer text, total numeric);
            create table bench_smallest (id uuid primary key default gen_random_uuid(), payload json);
            create table bench_message (n int primary key, key text, value text);
            create table bench_backlog (description text)""";

    private BenchStage() {}

    /** @param folder for files of the run; the logs of the systems stay there */
    static Stage prepare(Servers servers, Path folder) throws SQLException {
        DataSource dataSource = Servers.dataSource(servers.jdbcUrl());
        Backlog.JOURNAL.fill(dataSource, SAMPLE, false);
        List<OutboundMessage> sample =
                BarePipe.sample(dataSource, Backlog.JOURNAL, Route.fixed(Servers.TOPIC), FORMAT, SAMPLE);
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLES);
            try (PreparedStatement insert = connection.prepareStatement("insert into bench_message values (?, ?, ?)")) {
                for (int n = 0; n < sample.size(); n++) {
                    OutboundMessage message = sample.get(n);
                    insert.setInt(1, n);
                    insert.setString(2, new String(Objects.requireNonNull(message.key()), StandardCharsets.UTF_8));
                    insert.setString(3, new String(message.value(), StandardCharsets.UTF_8));
                    insert.addBatch();
                }
                insert.executeBatch();
            }
        }
        Stage stage = new Stage(
                servers.jdbcUrl(),
                servers.bootstrapServers(),
                servers.postmaster(),
                servers::roundTrips,
                servers.areFar() ? HANDLERS_FAR : HANDLERS,
                folder);
        writeProducerProperties(servers.bootstrapServers(), stage.producerProperties());
        return stage;
    }

    /**
     * The Kafka destination's, for the peers' producers, which keep their order with more than one request in flight. The destination needs
     * one at a time for what it promises.
     */
    private static void writeProducerProperties(String bootstrapServers, Path file) {
        Properties properties = new Properties();
        KafkaOptions.of(Map.of("bootstrap.servers", bootstrapServers))
                .producerProperties()
                .forEach((name, value) -> properties.setProperty(
                        name, value instanceof Class<?> type ? type.getName() : String.valueOf(value)));
        file.toFile().deleteOnExit();
        properties.setProperty("max.in.flight.requests.per.connection", String.valueOf(Machine.REQUESTS_OF_PEERS));
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException("The producer's properties could not be written to " + file + ".", e);
        }
    }
}
