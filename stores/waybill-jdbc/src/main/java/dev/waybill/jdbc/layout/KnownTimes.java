package dev.waybill.jdbc.layout;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Completes a layout with what only the table's catalogue knows: time columns of a type for instants hold instants, whatever zone
 * the layout names. A type without a zone, such as MariaDB's datetime, says nothing: there the layout decides.
 */
public final class KnownTimes {
    /** The first of them that a layout has stands for all: a table that mixes types is refused by {@link LayoutCheck}. */
    private static final List<TableColumn> TIMES = List.of(
            TableColumn.CREATED_AT,
            TableColumn.PUBLISHED_AT,
            TableColumn.NEXT_ATTEMPT_AT,
            TableColumn.ERROR_AT,
            TableColumn.LOCKED_UNTIL);

    private KnownTimes() {}

    /** @return empty if the table does not exist, or does not have the columns of the layout */
    public static Optional<TableLayout> of(Connection connection, TableLayout layout) throws SQLException {
        Optional<String> column = timeColumn(layout);
        if (layout.zone().isEmpty() || column.isEmpty()) {
            return Optional.of(layout);
        }
        return Catalogue.of(connection, layout)
                .holdsInstants(column.get())
                .map(instants -> instants ? layout.change().timesAreInstants().build() : layout);
    }

    private static Optional<String> timeColumn(TableLayout layout) {
        return TIMES.stream().flatMap(column -> layout.column(column).stream()).findFirst();
    }

    static String remedy(TableLayout layout) {
        return layout.settingNamed("set times-in: UTC in the layout", "use timesIn(ZoneOffset.UTC)")
                + ", or the zone they are in";
    }
}
