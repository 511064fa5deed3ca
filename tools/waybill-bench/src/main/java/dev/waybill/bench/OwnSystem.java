package dev.waybill.bench;

import dev.waybill.bench.RelaySystem.Variant;
import dev.waybill.bench.kit.BenchSystem;
import dev.waybill.bench.kit.Endpoints;
import dev.waybill.bench.kit.SystemProcess;
import dev.waybill.bench.pipes.Backlog;
import dev.waybill.bench.pipes.BarePipe;
import dev.waybill.bench.pipes.OverlappedPipe;
import dev.waybill.bench.pipes.RawProducer;
import dev.waybill.bench.pipes.Sending;
import dev.waybill.bench.servers.Servers;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.route.Route;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import javax.sql.DataSource;

/** The systems of this project, each in a process of its own whose first argument is the name of the constant. */
public enum OwnSystem {
    RAW("raw producer"),
    PIPE("bare pipe"),
    OVERLAPPED("overlapped pipe"),
    JOURNAL("journal"),
    NOT_WOKEN("journal, another process"),
    EXACTLY_ONCE("journal, exactly once"),
    TABLE("table"),
    TABLE_DELETING("table, rows deleted"),
    NO_EVENT("no event"),
    SMALLEST_INSERT("smallest insert"),
    JOURNAL_SQL("journal, plain SQL"),
    TABLE_SQL("table, plain SQL");

    final String label;

    OwnSystem(String label) {
        this.label = label;
    }

    public static void main(String[] arguments) throws IOException {
        SystemProcess.run(Arrays.copyOfRange(arguments, 1, arguments.length), OwnSystem.valueOf(arguments[0])::create);
    }

    private BenchSystem create(Endpoints endpoints) throws IOException {
        DataSource source = Servers.dataSource(endpoints.jdbcUrl());
        KafkaOptions options = options(endpoints);
        return switch (this) {
            case RAW ->
                new ContenderSystem(
                        endpoints,
                        "sends from memory",
                        (events, topic) -> new RawProducer(
                                new Sending(options),
                                BarePipe.sample(
                                        source,
                                        Backlog.JOURNAL,
                                        Route.fixed(topic),
                                        BenchStage.FORMAT,
                                        BenchStage.SAMPLE),
                                events));
            case PIPE ->
                new ContenderSystem(
                        endpoints,
                        "one thread reads pages along the primary key and sends them",
                        (events, topic) -> new BarePipe(
                                source, new Sending(options), Route.fixed(topic), BenchStage.FORMAT, Backlog.JOURNAL));
            case OVERLAPPED ->
                new ContenderSystem(
                        endpoints,
                        "one thread reads pages along the primary key, another sends them",
                        (events, topic) -> new OverlappedPipe(
                                source, new Sending(options), Route.fixed(topic), BenchStage.FORMAT, Backlog.JOURNAL));
            case JOURNAL -> new RelaySystem(source, options, Backlog.JOURNAL, Variant.WOKEN);
            case NOT_WOKEN -> new RelaySystem(source, options, Backlog.JOURNAL, Variant.NOT_WOKEN);
            case EXACTLY_ONCE -> new RelaySystem(source, options, Backlog.JOURNAL, Variant.EXACTLY_ONCE);
            case TABLE -> new RelaySystem(source, options, Backlog.TABLE, Variant.WOKEN);
            case TABLE_DELETING -> new RelaySystem(source, options, Backlog.TABLE_DELETING, Variant.WOKEN);
            case NO_EVENT -> new PlainInserts(endpoints, null, null, "the business row alone");
            case SMALLEST_INSERT ->
                new PlainInserts(
                        endpoints,
                        "bench_smallest",
                        "insert into bench_smallest (payload) values (?::json)",
                        "a table with a uuid key and a json payload");
            case JOURNAL_SQL -> new PlainInserts(endpoints, "waybill.event", """
                    insert into waybill.event (type, aggregate_type, aggregate_id, payload)
                    values ('order.order.changed.v1', 'Order', ?, ?::json)""", "an insert of the application's own");
            case TABLE_SQL -> new PlainInserts(endpoints, "waybill_event", """
                    insert into waybill_event (id, type, aggregate_type, aggregate_id, payload)
                    values (gen_random_uuid(), 'order.order.changed.v1', 'Order', ?, ?::json)""", "an insert of the application's own");
        };
    }

    /** Only the address is taken: the other properties of the file are these defaults. */
    private static KafkaOptions options(Endpoints endpoints) throws IOException {
        return KafkaOptions.of(
                Map.of("bootstrap.servers", String.valueOf(endpoints.producer().get("bootstrap.servers"))));
    }
}
