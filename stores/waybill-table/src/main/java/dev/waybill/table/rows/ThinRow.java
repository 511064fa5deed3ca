package dev.waybill.table.rows;

import dev.waybill.admin.EventFilter;
import dev.waybill.spi.Utf8;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A row without payload and headers. */
public record ThinRow(
        String rowId,
        String type,
        String aggregateType,
        String aggregateId,
        String key,
        TablePosition position,
        Instant createdAt,
        int attempts,
        Optional<String> error) {

    /** Number of columns read. */
    public static final int COLUMNS = 9;

    public static ThinRow read(TableConnection connection, ResultSet row) throws SQLException {
        TableColumns columns = new TableColumns(connection, row);
        String rowId = row.getString(1);
        @Nullable Utf8 type = columns.text(3);
        String aggregateType =
                type == null ? connection.layout().aggregateType().orElse("") : type.toString();
        String aggregateId = columns.aggregateId(4).toString();
        @Nullable Utf8 key = columns.text(5);
        Instant createdAt = Objects.requireNonNullElse(connection.times().read(row, 6), Instant.EPOCH);
        return new ThinRow(
                rowId,
                columns.required(2).toString(),
                aggregateType,
                aggregateId,
                key == null ? aggregateType + ":" + aggregateId : key.toString(),
                columns.position(7, createdAt, rowId),
                createdAt,
                row.getInt(8),
                Optional.ofNullable(row.getString(9)));
    }

    /** The same as {@link TableRow#keyHash()}. */
    public String keyHash() {
        return SideRow.hash(Utf8.of(key).bytes());
    }

    public boolean matches(EventFilter filter) {
        return filter.admits(type, aggregateType, aggregateId, key, createdAt);
    }

    /** Leaves out what may be personal data. */
    @Override
    public String toString() {
        return "ThinRow[" + rowId + " " + type + "]";
    }
}
