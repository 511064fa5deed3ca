package dev.waybill.table.rows;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads values of a row in the types of its layout. */
public final class TableColumns {
    private final TableConnection connection;
    private final TableLayout layout;
    private final ResultSet row;

    public TableColumns(TableConnection connection, ResultSet row) {
        this.connection = connection;
        this.layout = connection.layout();
        this.row = row;
    }

    @Nullable Utf8 text(int column) throws SQLException {
        byte @Nullable [] bytes = bytes(column);
        return bytes == null ? null : Utf8.wrap(bytes);
    }

    Utf8 required(int column) throws SQLException {
        @Nullable Utf8 text = text(column);
        return text == null ? Utf8.of("") : text;
    }

    /** A missing aggregate id is read as empty; the registry may refuse it. */
    Utf8 aggregateId(int column) throws SQLException {
        if (layout.aggregateIdKind() == TableLayout.IdKind.TEXT) {
            return required(column);
        }
        @Nullable String id = row.getString(column);
        return Utf8.of(id == null ? "" : id);
    }

    TablePosition position(int sequenceColumn, Instant createdAt, String rowId) throws SQLException {
        if (layout.has(TableColumn.SEQUENCE)) {
            return TablePosition.after(row.getLong(sequenceColumn));
        }
        return new TablePosition(layout.isOrdered() ? TableTimes.micros(createdAt) : 0, connection.id(rowId));
    }

    public byte @Nullable [] payload(int column) throws SQLException {
        return layout.payloadKind() == TableLayout.PayloadKind.BYTES ? row.getBytes(column) : bytes(column);
    }

    /** The drivers of PostgreSQL and MariaDB return text as UTF-8 bytes; H2's driver does not. */
    private byte @Nullable [] bytes(int column) throws SQLException {
        if (connection.dialect() != TableDialect.H2) {
            return row.getBytes(column);
        }
        @Nullable String text = row.getString(column);
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
}
