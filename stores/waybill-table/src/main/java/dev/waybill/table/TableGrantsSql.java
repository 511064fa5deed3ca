package dev.waybill.table;

import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.kernel.SqlIdentifier;
import dev.waybill.jdbc.layout.LayoutNames;
import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** The privileges that each role needs on an outbox table and its side tables. */
final class TableGrantsSql {
    /** Columns that viewers do not see. They see keys and ids, which are in every list. */
    private static final Set<TableColumn> HIDDEN =
            Set.of(TableColumn.PAYLOAD, TableColumn.PAYLOAD_BYTES, TableColumn.HEADERS);

    private static final List<String> SIDE_TABLES = List.of("{relay}", "{claim}", "{replay}");
    private static final List<String> READ_ONLY = List.of("{schema_version}");
    private static final String AUDIT = "{audit}";
    private static final String TABLE = "{table}";
    private static final String BODY = "$waybill$";

    private final TableLayout layout;
    private final TableDialect dialect;
    private final LayoutNames names;
    private final List<String> statements = new ArrayList<>();

    private TableGrantsSql(TableLayout layout, TableDialect dialect) {
        this.layout = layout;
        this.dialect = dialect;
        this.names = new LayoutNames(layout, dialect);
    }

    static List<String> of(TableLayout layout, TableDialect dialect, DatabaseRoles roles) {
        if (dialect == TableDialect.H2) {
            throw new IllegalArgumentException("Grants are for PostgreSQL and MariaDB, not for H2.");
        }
        TableGrantsSql grants = new TableGrantsSql(layout, dialect);
        grants.producer(roles.producer());
        grants.worker(roles.relay(), "select, update, delete");
        grants.sequence(roles.relay());
        grants.viewer(roles.viewer());
        // Requeue and discard change rows directly; there are no functions for them as in the journal.
        grants.worker(roles.operator(), layout.deletesPublished() ? "select, update, delete" : "select, update");
        grants.revealer(roles.revealer());
        return grants.statements;
    }

    /** Reading the id is needed to detect an existing event. */
    private void producer(Optional<String> role) {
        schema(role);
        grant(role, "insert", List.of(TABLE));
        grant(role, "select ({id})", List.of(TABLE));
    }

    /** @param ofTable privileges on the outbox table */
    private void worker(Optional<String> role, String ofTable) {
        schema(role);
        grant(role, ofTable, List.of(TABLE));
        grant(role, "select, insert, update, delete", SIDE_TABLES);
        grant(role, "select, insert", List.of(AUDIT));
        grant(role, "select", READ_ONLY);
    }

    /** Only the catalogue knows the sequence of an existing table, and whether it has one. */
    private void sequence(Optional<String> role) {
        Optional<String> column = layout.column(TableColumn.SEQUENCE);
        if (dialect == TableDialect.POSTGRESQL && column.isPresent()) {
            role.ifPresent(name -> statements.add("do " + BODY + " declare name text := pg_get_serial_sequence("
                    + literal(names.in(TABLE)) + ", " + literal(column.get()) + "); begin if name is not null then execute"
                    + " 'grant select on sequence ' || name || " + literal(" to " + quoted(name)) + "; end if; end "
                    + BODY));
        }
    }

    private static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private void viewer(Optional<String> role) {
        schema(role);
        String shown = layout.columns().keySet().stream()
                .filter(column -> !HIDDEN.contains(column))
                .map(column -> "{" + column.name().toLowerCase(Locale.ROOT) + "}")
                .sorted()
                .collect(Collectors.joining(", "));
        grant(role, "select (" + shown + ")", List.of(TABLE));
        grant(role, "select", SIDE_TABLES);
        grant(role, "select", List.of(AUDIT));
        grant(role, "select", READ_ONLY);
    }

    private void revealer(Optional<String> role) {
        schema(role);
        grant(role, "select", List.of(TABLE));
        grant(role, "insert", List.of(AUDIT));
    }

    private void schema(Optional<String> role) {
        if (dialect == TableDialect.POSTGRESQL) {
            layout.schema()
                    .ifPresent(schema -> role.ifPresent(name ->
                            statements.add("grant usage on schema " + dialect.quote(schema) + " to " + quoted(name))));
        }
    }

    private void grant(Optional<String> role, String what, List<String> tables) {
        UnaryOperator<String> on = table -> names.in("grant " + what + " on " + table + " to ");
        role.ifPresent(name -> tables.forEach(table -> statements.add(on.apply(table) + quoted(name))));
    }

    private String quoted(String role) {
        return dialect == TableDialect.POSTGRESQL ? SqlIdentifier.quoteRole(role) : dialect.quote(role);
    }
}
