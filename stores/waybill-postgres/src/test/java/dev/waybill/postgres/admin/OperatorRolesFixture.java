package dev.waybill.postgres.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.admin.Actor;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.postgres.PostgresJournal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** A journal with operators and viewers who run plain SQL. */
abstract class OperatorRolesFixture extends JournalFixture {
    static final String RELAY_ROLE = "people_relay";
    static final String VIEWER = "people_viewer";
    static final String OPERATOR = "people_operator";
    static final String REVEALER = "people_revealer";
    static final Actor ANNA = new Actor("anna", "mended");

    @BeforeAll
    void createRoles() throws SQLException {
        for (String role : List.of(RELAY_ROLE, VIEWER, OPERATOR, REVEALER, "people_nobody")) {
            database.createRole(role);
        }
        try (Connection connection = database.connect()) {
            JournalSchema.grant(
                    connection,
                    DatabaseRoles.NONE
                            .relay(RELAY_ROLE)
                            .viewer(VIEWER)
                            .operator(OPERATOR)
                            .revealer(REVEALER));
        }
    }

    StoreAdmin as(String role) {
        return PostgresJournal.on(database.dataSourceAs(role), options()).admin();
    }

    void refused(String role, String sql) throws SQLException {
        try (Connection connection = database.dataSourceAs(role).getConnection();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute(sql))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo("42501"));
        }
    }

    void callAs(String role, String sql) throws SQLException {
        try (Connection connection = database.dataSourceAs(role).getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
