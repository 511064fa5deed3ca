package dev.waybill.jdbc;

import dev.waybill.Event;
import dev.waybill.InvalidEventException;
import dev.waybill.Payload;
import dev.waybill.jdbc.kernel.UuidForm;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Refuses events that the table of a layout cannot store completely, before anything is sent. */
final class LayoutLimits {
    private static final Pattern NUMBER = Pattern.compile("0|-?[1-9][0-9]{0,18}");

    private final TableLayout layout;

    LayoutLimits(TableLayout layout) {
        this.layout = layout;
    }

    void require(Event event) {
        requireId(event, TableColumn.ID, layout.idKind(), event.id(), "leave the id out to have a UUID generated");
        requireId(
                event,
                TableColumn.AGGREGATE_ID,
                layout.aggregateIdKind(),
                event.aggregateId(),
                "append it to an outbox that accepts text");
        requireLength(event, TableColumn.TYPE, event.type());
        requireAggregateType(event);
        event.topic().ifPresent(topic -> requireLength(event, TableColumn.TOPIC, topic));
        event.key().ifPresent(key -> requireLength(event, TableColumn.KEY, key));
        requireColumn(event, TableColumn.TOPIC, event.topic().isPresent(), "leave it to the relay's route");
        requireColumn(
                event, TableColumn.KEY, event.key().isPresent(), "in this table the aggregate is the unit of order");
        requireColumn(event, TableColumn.HEADERS, !event.headers().isEmpty(), "leave them out");
        requireColumn(event, TableColumn.VERSION, event.version() != 1, "without it only version 1 can be stored");
        requireColumn(
                event, TableColumn.AGGREGATE_VERSION, event.aggregateVersion().isPresent(), "leave it out");
        requirePayload(event);
    }

    private void requireId(Event event, TableColumn column, TableLayout.IdKind kind, String value, String remedy) {
        switch (kind) {
            case TEXT -> requireLength(event, column, value);
            case UUID -> {
                if (!UuidForm.matches(value)) {
                    throw refused(
                            event,
                            "its " + column.words() + " is no UUID, but the column " + name(column)
                                    + " accepts nothing else: " + remedy);
                }
            }
            case NUMBER -> {
                if (!isNumber(value)) {
                    throw refused(
                            event,
                            "its " + column.words() + " is not a whole number of 64 bits in plain digits, but the"
                                    + " column " + name(column) + " accepts nothing else: " + remedy);
                }
            }
        }
    }

    /** In the canonical form, which the database returns. */
    private static boolean isNumber(String value) {
        if (!NUMBER.matcher(value).matches()) {
            return false;
        }
        try {
            return String.valueOf(Long.parseLong(value)).equals(value);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private void requireAggregateType(Event event) {
        if (layout.has(TableColumn.AGGREGATE_TYPE)) {
            requireLength(event, TableColumn.AGGREGATE_TYPE, event.aggregateType());
        } else if (layout.aggregateType().isPresent()
                && !layout.aggregateType().get().equals(event.aggregateType())) {
            throw refused(
                    event,
                    "its aggregate type is " + event.aggregateType() + ", but every row of that table is of "
                            + layout.aggregateType().get()
                            + ": append it to another outbox, or give the table a column for"
                            + " the type");
        }
    }

    private void requireLength(Event event, TableColumn column, String value) {
        OptionalInt length = layout.length(column);
        if (layout.has(column) && length.isPresent() && value.length() > length.getAsInt()) {
            throw refused(
                    event,
                    "its " + column.words() + " has " + value.length() + " characters, but the column "
                            + name(column) + " takes " + length.getAsInt()
                            + ": use a shorter one, or widen the column and say"
                            + " so in the layout");
        }
    }

    private void requireColumn(Event event, TableColumn column, boolean needed, String remedy) {
        if (needed && !layout.has(column)) {
            throw refused(
                    event,
                    "it has a " + column.words() + ", but the layout names no column for it: " + remedy
                            + ", or add such a column and name it in the layout");
        }
    }

    private void requirePayload(Event event) {
        boolean takesBytes = layout.has(TableColumn.CONTENT_TYPE)
                && (layout.has(TableColumn.PAYLOAD_BYTES) || layout.payloadKind() == TableLayout.PayloadKind.BYTES);
        if (event.payload() instanceof Payload.Binary && !takesBytes) {
            throw refused(
                    event,
                    "its payload is binary, but the column " + name(TableColumn.PAYLOAD)
                            + " accepts only JSON: send JSON, or add columns for bytes and their content type and name them in the"
                            + " layout");
        }
    }

    private String name(TableColumn column) {
        return layout.column(column).orElse("none");
    }

    private InvalidEventException refused(Event event, String why) {
        return new InvalidEventException("Event " + event.id() + " (" + event.type() + ") does not fit into "
                + layout.tableName() + " (layout " + layout.name() + "): " + why + ".");
    }
}
