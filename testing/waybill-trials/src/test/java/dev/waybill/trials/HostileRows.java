package dev.waybill.trials;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Hostile rows that a role may insert into the journal with plain SQL. None has the key of a valid event. */
final class HostileRows {
    private static final String INSERT = """
            insert into waybill.event (type, version, aggregate_type, aggregate_id, aggregate_version, topic, key, payload,
                                       payload_bytes, content_type, headers)
            values (?, ?, ?, 'hostile-' || ?, ?, ?, 'hostile-' || ?, ?::json, ?, ?, ?::jsonb)""";

    private static final List<String> NAMES = List.of(
            "\u001b[2J\u001b[31mall is well",
            "a\nERROR forged line",
            "a\r\nb",
            "\u202efdp.exe",
            "..",
            ".",
            " ",
            "a b",
            "../../etc/passwd",
            "{aggregateType}",
            "{",
            "%s%n%x",
            "${jndi:ldap://127.0.0.1/a}",
            "'; drop table waybill.event; --",
            "null",
            "𝒳".repeat(100),
            "\ufffe\uffff",
            "e\u0301".repeat(80),
            "x".repeat(255),
            "x".repeat(999),
            "x".repeat(100_000),
            "#.*",
            "amq.direct",
            "__consumer_offsets");

    private static final List<String> CONTENT_TYPES = List.of(
            "application/json",
            "application/json; charset=utf-16",
            "text/plain\r\nforged: yes",
            "",
            "x".repeat(255),
            "x".repeat(5_000),
            "*/*",
            "application/x-java-serialized-object");

    private static final List<String> RESERVED = List.of(
            "event-id",
            "event_id",
            "eventId",
            "ce_id",
            "ce-id",
            "content-type",
            "dead-letter-done",
            "dead-letter-error",
            "waybill-key",
            "traceparent",
            "__TypeId__");

    /** Statements other than inserts that a producer may try. Each is refused or harmless. */
    private static final List<String> STATEMENTS = List.of(
            "select setval('waybill.event_seq_seq', 1)",
            "select setval('waybill.event_seq_seq', 9000000000000000000)",
            "update waybill.relay set seq = 9000000000000000000",
            "update waybill.relay set paused = true",
            "delete from waybill.event",
            "truncate waybill.event",
            "delete from waybill.parked",
            "insert into waybill.parked (relay, seq, key, state) select name, 1, gen_random_uuid(), 'due' from waybill.relay",
            "alter table waybill.event add column more text",
            "create trigger t before insert on waybill.event execute function suppress_redundant_updates_trigger()",
            "lock table waybill.event in access exclusive mode nowait",
            "insert into waybill.event (xid, type, aggregate_type, aggregate_id, payload)"
                    + " values ('3', 'old.xid', 'Order', 'hostile-xid', '{}')",
            "insert into waybill.event (xid, type, aggregate_type, aggregate_id, payload)"
                    + " values ('9000000000000000000', 'new.xid', 'Order', 'hostile-xid', '{}')",
            "insert into waybill.event (seq, type, aggregate_type, aggregate_id, payload) overriding system value"
                    + " values (9000000000000000000, 'last.seq', 'Order', 'hostile-seq', '{}')",
            "insert into waybill.event (created_at, type, aggregate_type, aggregate_id, payload)"
                    + " values ('infinity', 'never', 'Order', 'hostile-time', '{}')",
            "insert into waybill.event (created_at, type, aggregate_type, aggregate_id, payload)"
                    + " values ('4713-01-01 BC', 'once', 'Order', 'hostile-time', '{}')",
            "insert into waybill.event (created_at, type, aggregate_type, aggregate_id, payload)"
                    + " values ('294276-12-31', 'late', 'Order', 'hostile-time', '{}')",
            "insert into waybill.event (type, aggregate_type, aggregate_id, payload)"
                    + " select 'rolled.back', 'Order', 'hostile-undone', '{}' from generate_series(1, 2000), (select 1/0) x",
            "do $$ begin for i in 1..500 loop perform pg_notify('waybill', 'x' || i); end loop; end $$");

    private static final List<Function<Random, String>> PAYLOADS = List.of(
            random -> "[".repeat(depth(random)) + "]".repeat(1),
            random -> nested("[", "]", depth(random)),
            random -> nested("{\"a\":", "}", depth(random)).replace(":}", ":1}"),
            random -> "{\"a\":1,\"a\":2,\"eventId\":\"x\",\"eventType\":\"payment.succeeded\"}",
            random -> "1,\"eventId\":\"forged\"",
            random -> "9".repeat(130_000),
            random -> "-1e999999999",
            random -> "\"\\u0000\"",
            random -> "\"\\ud800\"",
            random -> "\"" + "x".repeat(random.nextInt(900_000)) + "\"",
            random -> "\"" + "𝒳".repeat(random.nextInt(200_000)) + "\"",
            random -> " ".repeat(500_000) + "{}",
            random -> "null",
            random -> "\"\"",
            random -> "{}",
            random -> "{\"" + "k".repeat(60_000) + "\":1}",
            random -> keys(random.nextInt(20_000)));

    private static final List<Function<Random, @Nullable String>> HEADERS = List.of(
            random -> null,
            random -> "{}",
            random -> "{\"\":\"no name\"}",
            random -> "{\"a\\nb\":\"c\\nd\"}",
            random -> "{\"n\":1,\"b\":true,\"z\":null,\"o\":{\"a\":[1,2,{}]}}",
            random -> "{\"n\":" + "9".repeat(100_000) + "}",
            random -> "{\"h\":\"" + "x".repeat(random.nextInt(140_000)) + "\"}",
            random -> "{\"" + "n".repeat(random.nextInt(70_000)) + "\":\"x\"}",
            random -> keys(random.nextInt(10_000)),
            random -> "{\"" + one(RESERVED, random) + "\":\"00000000-0000-0000-0000-000000000000\"}",
            random -> nested("{\"a\":", "}", 1_000).replace(":}", ":1}"),
            random -> "[1]");

    private final Random random;
    private int refused;
    private int taken;

    HostileRows(Random random) {
        this.random = random;
    }

    int refused() {
        return refused;
    }

    int taken() {
        return taken;
    }

    /** Inserts one row in a separate transaction. */
    void next(Connection producer) {
        try {
            if (random.nextInt(20) == 0) {
                try (Statement statement = producer.createStatement()) {
                    statement.execute(one(STATEMENTS, random));
                }
            } else {
                insert(producer);
            }
            taken++;
        } catch (SQLException e) {
            refused++;
        }
    }

    private void insert(Connection producer) throws SQLException {
        boolean text = random.nextInt(4) > 0;
        try (PreparedStatement row = producer.prepareStatement(INSERT)) {
            row.setString(1, mostly("hostile.happened"));
            row.setInt(
                    2, random.nextInt(8) > 0 ? 1 : one(List.of(0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE), random));
            row.setString(3, mostly("Order"));
            row.setString(4, mostly("h" + random.nextInt(50)));
            row.setObject(5, random.nextBoolean() ? null : random.nextLong(), Types.BIGINT);
            row.setString(6, random.nextInt(6) > 0 ? null : one(NAMES, random));
            row.setString(7, random.nextInt(6) > 0 ? null : one(NAMES, random));
            row.setString(8, text ? one(PAYLOADS, random).apply(random) : null);
            row.setBytes(9, text ? null : bytes());
            row.setString(10, text ? null : one(CONTENT_TYPES, random));
            row.setString(11, one(HEADERS, random).apply(random));
            row.executeUpdate();
        }
    }

    /** Usually a valid value, so that invalid values in other columns are processed further. */
    private String mostly(String good) {
        return random.nextInt(8) > 0 ? good : one(NAMES, random);
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(random.nextInt(200) == 0 ? 17_000_000 : 100_000)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static int depth(Random random) {
        return 1 + random.nextInt(6_000);
    }

    private static String nested(String open, String close, int depth) {
        return open.repeat(depth) + close.repeat(depth);
    }

    private static String keys(int count) {
        StringBuilder object = new StringBuilder("{");
        for (int i = 0; i < count; i++) {
            object.append(i == 0 ? "" : ",").append("\"k").append(i).append("\":\"v\"");
        }
        return object.append('}').toString();
    }

    private static <T> T one(List<T> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }
}
