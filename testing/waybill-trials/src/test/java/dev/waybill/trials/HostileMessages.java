package dev.waybill.trials;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Hostile messages for a topic that a consumer reads. None has the key or id of a valid event. */
final class HostileMessages {
    private static final String TYPE = ConsumerSettings.TYPE;
    private static final int KEYS = 100;

    /** A message as sent to the broker. */
    record Raw(@Nullable String key, byte @Nullable [] value, Map<String, byte[]> headers) {}

    private static final List<Function<Random, byte @Nullable []>> VALUES = List.of(
            random -> null,
            random -> new byte[0],
            HostileMessages::noise,
            random -> text("{"),
            random -> text("[]"),
            random -> text("null"),
            random -> text("\"" + "x".repeat(random.nextInt(300_000)) + "\""),
            random -> text("{\"eventId\":"),
            random -> text("{\"eventId\":{},\"eventType\":[],\"data\":1}"),
            random -> text("{\"eventId\":\"\",\"eventType\":\"\",\"data\":{}}"),
            random -> envelope("x".repeat(random.nextInt(100_000)), TYPE, "{}"),
            random -> envelope("ü".repeat(random.nextInt(1_000)), TYPE, "\"\\u0000\""),
            random -> envelope("a\\nb\\u001b[2J\\u0000", TYPE, "{}"),
            random -> envelope(id(random), "no.such.type", "{}"),
            random -> envelope(id(random), "x".repeat(random.nextInt(100_000)), "{}"),
            random -> envelope(id(random), TYPE, "[".repeat(random.nextInt(100_000))),
            random -> envelope(id(random), TYPE, nested(random.nextInt(100_000))),
            random -> envelope(id(random), TYPE, "9".repeat(random.nextInt(200_000))),
            random -> envelope(id(random), TYPE, "1e999999999"),
            random -> envelope(id(random), TYPE, "{\"a\":1,\"a\":2}"),
            random -> envelope(id(random), TYPE, "1,\"eventId\":\"forged\""),
            random -> envelope(id(random), TYPE, "\"\\u0000\""),
            random -> envelope(id(random), TYPE, "\"\\ud800\""),
            random -> envelope(id(random), TYPE, "\"" + "x".repeat(random.nextInt(700_000)) + "\""),
            random -> text("{\"eventId\":\"" + id(random) + "\",\"eventType\":\"" + TYPE + "\"}"),
            random -> text("{\"eventId\":\"" + id(random) + "\",\"eventType\":\"" + TYPE
                    + "\",\"occurredAt\":\"+999999999-12-31T23:59:59Z\",\"version\":1e99,\"data\":{}}"),
            random -> envelope(id(random), TYPE, "{}", StandardCharsets.UTF_16),
            random -> new byte[] {(byte) 0xac, (byte) 0xed, 0, 5, 's', 'r', 0, 17, 'j', 'a', 'v', 'a'},
            random -> new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0});

    private static final List<String> HEADERS = List.of(
            "event-id",
            "event_id",
            "event-type",
            "ce_id",
            "ce_specversion",
            "content-type",
            "dead-letter-done",
            "dead-letter-error",
            "dead-letter-from",
            "traceparent",
            "a b",
            "x".repeat(200));

    private final Random random;

    HostileMessages(Random random) {
        this.random = random;
    }

    Raw next() {
        Map<String, byte[]> headers = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            headers.put(
                    HEADERS.get(random.nextInt(HEADERS.size())),
                    random.nextBoolean() ? text("x".repeat(random.nextInt(1_000))) : text("00-0-0-\u001b\n"));
        }
        return new Raw(
                random.nextInt(10) == 0 ? null : "hostile-" + random.nextInt(KEYS),
                VALUES.get(random.nextInt(VALUES.size())).apply(random),
                headers);
    }

    private static byte[] noise(Random random) {
        byte[] bytes = new byte[random.nextInt(random.nextInt(20) == 0 ? 900_000 : 10_000)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String id(Random random) {
        return "hostile-" + random.nextInt(1_000_000);
    }

    private static String nested(int depth) {
        char[] levels = new char[2 * depth];
        Arrays.fill(levels, 0, depth, '[');
        Arrays.fill(levels, depth, 2 * depth, ']');
        return new String(levels);
    }

    private static byte[] envelope(String id, String type, String data) {
        return envelope(id, type, data, StandardCharsets.UTF_8);
    }

    private static byte[] envelope(String id, String type, String data, java.nio.charset.Charset charset) {
        return ("{\"eventId\":\"" + id + "\",\"eventType\":\"" + type + "\",\"data\":" + data + "}").getBytes(charset);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
