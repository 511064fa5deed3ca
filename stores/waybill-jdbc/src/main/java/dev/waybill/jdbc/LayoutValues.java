package dev.waybill.jdbc;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Binds the values of events to a statement of {@link LayoutInsertSql}. */
final class LayoutValues {
    private final TableLayout layout;
    private final PreparedStatement statement;
    private final TableDialect dialect;
    private int next = 1;

    LayoutValues(TableLayout layout, PreparedStatement statement) throws SQLException {
        this.layout = layout;
        this.statement = statement;
        this.dialect = TableDialect.of(statement.getConnection());
    }

    void bind(Event event) throws SQLException {
        for (TableColumn column : LayoutInsertSql.BOUND) {
            if (layout.has(column)) {
                bind(column, event);
            }
        }
    }

    void bindId(Event event) throws SQLException {
        id(layout.idKind(), event.id());
    }

    private void bind(TableColumn column, Event event) throws SQLException {
        switch (column) {
            case ID -> bindId(event);
            case AGGREGATE_ID -> id(layout.aggregateIdKind(), event.aggregateId());
            case TYPE -> statement.setString(next++, event.type());
            case AGGREGATE_TYPE -> statement.setString(next++, event.aggregateType());
            case VERSION -> statement.setInt(next++, event.version());
            case AGGREGATE_VERSION -> {
                if (event.aggregateVersion().isPresent()) {
                    statement.setLong(next++, event.aggregateVersion().getAsLong());
                } else {
                    statement.setNull(next++, Types.BIGINT);
                }
            }
            case TOPIC -> statement.setString(next++, event.topic().orElse(null));
            case KEY -> statement.setString(next++, event.key().orElse(null));
            case PAYLOAD -> payload(event.payload());
            case PAYLOAD_BYTES ->
                statement.setBytes(next++, isBinary(event) ? event.payload().bytes() : null);
            case CONTENT_TYPE ->
                statement.setString(next++, isBinary(event) ? event.payload().contentType() : null);
            case HEADERS -> json(event.headers().isEmpty() ? null : JournalInsert.headersJson(event));
            default -> throw new IllegalStateException("An append does not set the " + column.words() + ".");
        }
    }

    private static boolean isBinary(Event event) {
        return event.payload() instanceof Payload.Binary;
    }

    private void id(TableLayout.IdKind kind, String id) throws SQLException {
        switch (kind) {
            case TEXT -> statement.setString(next++, id);
            case NUMBER -> statement.setLong(next++, Long.parseLong(id));
            case UUID -> uuid(UUID.fromString(id));
        }
    }

    /** As text if needed: older MariaDB has no UUID type, and tables on PostgreSQL and H2 may use text. */
    private void uuid(UUID id) throws SQLException {
        switch (dialect) {
            case POSTGRESQL -> statement.setObject(next++, id.toString(), Types.OTHER);
            case MARIADB, H2 -> statement.setString(next++, id.toString());
        }
    }

    private void payload(Payload payload) throws SQLException {
        boolean elsewhere = payload instanceof Payload.Binary && layout.has(TableColumn.PAYLOAD_BYTES);
        byte @Nullable [] bytes = elsewhere ? null : payload.bytes();
        if (layout.payloadKind() == TableLayout.PayloadKind.BYTES) {
            statement.setBytes(next++, bytes);
        } else {
            json(bytes == null ? null : new String(bytes, StandardCharsets.UTF_8));
        }
    }

    /** Without a type, PostgreSQL uses the column's type: json, jsonb or text. */
    private void json(@Nullable String text) throws SQLException {
        if (dialect == TableDialect.POSTGRESQL) {
            statement.setObject(next++, text, Types.OTHER);
        } else {
            statement.setString(next++, text);
        }
    }
}
