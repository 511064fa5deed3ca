package dev.waybill.jdbc;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.Payload;
import dev.waybill.jdbc.kernel.JournalLimits;
import dev.waybill.jdbc.kernel.UuidForm;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Inserts events into the journal, many with one statement. */
public final class JournalInsert implements EventInsert {
    private static final String INSERT_EVENT = """
            insert into waybill.event (id, type, version, aggregate_type, aggregate_id, aggregate_version, topic, key, payload,
                                       payload_bytes, content_type, headers) values""";

    private static final String INSERT_VALUES = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final String OR_FAIL = "";
    /** Without a conflict target, which would require the privilege to read the column. */
    private static final String IF_ABSENT = " on conflict do nothing";

    /** Maximum bytes of one character in JSON. */
    private static final int JSON_BYTES = 6;

    /** The driver's limit is 65,535 parameters in one statement. */
    private static final int MAX_ROWS = 1_000;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    static String headersJson(Event event) {
        return JSON.writeValueAsString(event.headers());
    }

    @Override
    public void requireStorable(Event event) {
        if (!UuidForm.matches(event.id())) {
            throw new InvalidEventException("The journal accepts only UUIDs as event ids, but \"" + event.id()
                    + "\" is not a UUID: leave the id out to have one generated.");
        }
        if (event.payload().size() > JournalLimits.PAYLOAD_BYTES) {
            throw tooLarge(event, "payload has " + event.payload().size(), JournalLimits.PAYLOAD_BYTES);
        }
        long characters = event.headers().entrySet().stream()
                .mapToLong(
                        header -> header.getKey().length() + header.getValue().length() + 2L)
                .sum();
        if (characters * JSON_BYTES > JournalLimits.HEADERS_BYTES) {
            // PostgreSQL's jsonb text has a space after each colon and comma.
            int bytes = headersJson(event).getBytes(StandardCharsets.UTF_8).length
                    + 2 * event.headers().size();
            if (bytes > JournalLimits.HEADERS_BYTES) {
                throw tooLarge(event, "headers have " + bytes, JournalLimits.HEADERS_BYTES);
            }
        }
    }

    private static InvalidEventException tooLarge(Event event, String what, int most) {
        return new InvalidEventException("Event " + event.id() + " (" + event.type() + "): its " + what
                + " bytes, but the journal accepts at most " + most
                + ": put large data elsewhere and send a reference.");
    }

    public static long lockOf(String orderKey) {
        return UUID.nameUUIDFromBytes(orderKey.getBytes(StandardCharsets.UTF_8)).getLeastSignificantBits();
    }

    @Override
    public void append(Connection transaction, List<Event> events) throws SQLException {
        execute(transaction, events, OR_FAIL);
    }

    @Override
    public int appendIfAbsent(Connection transaction, List<Event> events) throws SQLException {
        return execute(transaction, events, IF_ABSENT);
    }

    private static int execute(Connection transaction, List<Event> events, String onConflict) throws SQLException {
        int inserted = 0;
        for (int from = 0; from < events.size(); from += MAX_ROWS) {
            List<Event> rows = events.subList(from, Math.min(events.size(), from + MAX_ROWS));
            try (PreparedStatement statement = transaction.prepareStatement(sql(rows.size(), onConflict))) {
                int parameter = 1;
                for (Event event : rows) {
                    parameter = bind(statement, parameter, event);
                }
                inserted += statement.executeUpdate();
            }
        }
        return inserted;
    }

    private static String sql(int rows, String onConflict) {
        String values = (", " + INSERT_VALUES).repeat(rows).substring(1);
        return INSERT_EVENT + values + onConflict;
    }

    private static int bind(PreparedStatement statement, int first, Event event) throws SQLException {
        int i = first;
        Payload payload = event.payload();
        boolean json = payload instanceof Payload.Json;
        statement.setObject(i++, UUID.fromString(event.id()));
        statement.setString(i++, event.type());
        statement.setInt(i++, event.version());
        statement.setString(i++, event.aggregateType());
        statement.setString(i++, event.aggregateId());
        OptionalLong aggregateVersion = event.aggregateVersion();
        statement.setObject(i++, aggregateVersion.isPresent() ? aggregateVersion.getAsLong() : null, Types.BIGINT);
        statement.setString(i++, event.topic().orElse(null));
        statement.setString(i++, event.key().orElse(null));
        @Nullable String text = json ? new String(payload.bytes(), StandardCharsets.UTF_8) : null;
        statement.setObject(i++, text, Types.OTHER);
        statement.setBytes(i++, json ? null : payload.bytes());
        statement.setString(i++, json ? null : payload.contentType());
        @Nullable String headers = event.headers().isEmpty() ? null : headersJson(event);
        statement.setObject(i++, headers, Types.OTHER);
        return i;
    }
}
