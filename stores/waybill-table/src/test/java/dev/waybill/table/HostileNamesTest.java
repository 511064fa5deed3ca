package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableLayoutBuilder;
import dev.waybill.tck.Seeds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names in a layout come from configuration. Each is refused, or means exactly that table and column. */
class HostileNamesTest {
    private static final String[] PIECES = {
        "\"",
        "\"\"",
        "`",
        "``",
        "'",
        ";",
        "--",
        "-- ",
        "#",
        "/*",
        "*/",
        "/*! drop table canary */",
        "\\",
        "\\'",
        "$$",
        "$1",
        "?",
        "??",
        ":x",
        "@x",
        "{fn now()}",
        "{table}",
        "{id}",
        "{",
        "}",
        "%s",
        "%1$s",
        "[",
        "]",
        "U&",
        "; drop table canary; --",
        "\"; drop table canary; --",
        "`; drop table canary; -- ",
        "\" (id int); drop table canary; --",
        ".",
        ",",
        "(",
        ")",
        " ",
        "select",
        "table",
        "order",
        "key",
        "user",
        "value",
        "primary",
        "null",
        "Name",
        "öäß",
        "漢字",
        "🚚",
        "\u200b",
        "\u202e",
        "\u00a0",
        "\ufeff"
    };
    private static final String[] REFUSED_PIECES = {"\0", "\n", "\r", "\t", "\u007f", "\u0085", "\ud83d", "\udc00"};

    private record Tried(int used, int refused) {}

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void every_name_is_refused_or_means_exactly_that_table_and_column(TableDialect dialect) throws SQLException {
        long seed = Seeds.one();
        System.out.println("Hostile names' seed on " + dialect + ": " + seed);
        LayoutDatabase database = LayoutDatabase.create(dialect);
        database.execute("create table canary (id int)");
        database.create(TableLayout.waybill());

        Tried tried = tryNames(database, new Random(seed));

        assertThat(tried.used()).isEqualTo(60);
        assertThat(tried.refused()).isGreaterThan(5);
        assertThat(database.rows("select * from canary")).isEmpty();
        assertThat(tables(database))
                .containsExactlyInAnyOrder(
                        "canary",
                        "waybill_event",
                        "waybill_relay",
                        "waybill_claim",
                        "waybill_audit",
                        "waybill_replay",
                        "waybill_schema_version");
    }

    private static Tried tryNames(LayoutDatabase database, Random random) throws SQLException {
        int used = 0;
        int refused = 0;
        while (used < 60) {
            Optional<TableLayout> layout = layout(random);
            if (layout.isPresent() && use(database, layout.get())) {
                used++;
            } else {
                refused++;
            }
        }
        return new Tried(used, refused);
    }

    private static Optional<TableLayout> layout(Random random) {
        TableLayoutBuilder builder = TableLayout.waybill().change().table(name(random));
        TableLayout.waybill().columns().forEach((column, usual) -> {
            if (random.nextInt(6) == 0) {
                builder.column(column, name(random));
            }
        });
        try {
            return Optional.of(builder.build());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String name(Random random) {
        StringBuilder name = new StringBuilder();
        int pieces = 1 + random.nextInt(4);
        for (int i = 0; i < pieces; i++) {
            switch (random.nextInt(60)) {
                case 0 -> name.append(REFUSED_PIECES[random.nextInt(REFUSED_PIECES.length)]);
                case 1, 2, 3 -> name.append((char) (' ' + random.nextInt(95)));
                case 4 -> name.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
                case 5 -> name.append("x".repeat(random.nextInt(70)));
                default -> name.append(PIECES[random.nextInt(PIECES.length)]);
            }
        }
        return name.toString();
    }

    /** @return false if the database does not allow such names and the error says so */
    private static boolean use(LayoutDatabase database, TableLayout layout) throws SQLException {
        Event event = Event.of("x").aggregate("A", "1").payload(Payload.json("{}"));
        LayoutNames names;
        try {
            names = new LayoutNames(layout, database.dialect());
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("cannot be a name");
            return false;
        }
        assertThat(database.create(layout)).isEqualTo(new TableSchema.Created(true, false));
        assertThat(database.create(layout)).isEqualTo(new TableSchema.Created(false, false));
        try (Connection connection = database.begin()) {
            JdbcOutbox.table(layout).append(connection, event);
            assertThat(JdbcOutbox.table(layout).appendIfAbsent(connection, event))
                    .isZero();
            connection.commit();
        }
        requireSameNames(database, layout, names);
        assertThat(tables(database)).contains(folded(layout.table(), database.dialect()));
        List<Map<String, Object>> rows = database.rows(
                names.in("select {id} as found from {table} where {is_pending} and {aggregate_id} = '1'"));
        assertThat(rows).extracting(row -> row.get("found")).containsExactly(event.id());
        database.execute(names.in("drop table {table}"));
        return true;
    }

    private static void requireSameNames(LayoutDatabase database, TableLayout layout, LayoutNames names)
            throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(names.in("select * from {table}"))) {
            List<String> found = new ArrayList<>();
            for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                found.add(folded(row.getMetaData().getColumnName(i), database.dialect()));
            }
            assertThat(found)
                    .containsExactlyElementsOf(layout.columns().values().stream()
                            .map(name -> folded(name, database.dialect()))
                            .toList());
        }
    }

    /** H2 folds a plain lower-case name as it folds one without quotes. */
    private static String folded(String name, TableDialect dialect) {
        return dialect == TableDialect.H2 && name.matches("[A-Z0-9_]+") ? name.toLowerCase(Locale.ROOT) : name;
    }

    private static List<String> tables(LayoutDatabase database) throws SQLException {
        String schema = switch (database.dialect()) {
            case POSTGRESQL -> "current_schema()";
            case MARIADB -> "database()";
            case H2 -> "'PUBLIC'";
        };
        return database
                .rows("select table_name as found from information_schema.tables where table_schema = " + schema)
                .stream()
                .map(row -> folded(row.get("found").toString(), database.dialect()))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(TableDialect.class)
    void a_name_that_is_too_long_for_a_database_is_refused_for_all(TableDialect dialect) {
        assertThat(dialect.quote("x".repeat(63))).contains("x".repeat(63));
        assertThatThrownBy(() -> dialect.quote("x".repeat(64))).hasMessageContainingAll("63 bytes", "it has 64");
        assertThatThrownBy(() ->
                        TableLayout.waybill().change().table("x".repeat(64)).build())
                .hasMessageContaining("it has 64");
    }
}
