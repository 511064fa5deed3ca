package dev.waybill.postgres;

import dev.waybill.admin.Actor;
import dev.waybill.jdbc.DatabaseRoles;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;

/** A journal with a role of each kind, with capitals, hyphens and quotes in their names. */
abstract class JournalRolesFixture extends JournalFixture {
    static final String PRODUCER = "Grants producer";
    static final String RELAY_ROLE = "grants-relay";
    static final String VIEWER = "grants\"viewer";
    static final String OPERATOR = "grants;operator";
    static final String REVEALER = "grants revealer";
    static final Actor ANNA = new Actor("anna", "mended");

    @BeforeAll
    void createRoles() throws SQLException {
        for (String role : List.of(PRODUCER, RELAY_ROLE, VIEWER, OPERATOR, REVEALER)) {
            database.createRole(role);
        }
        grantAll();
    }

    void grantAll() throws SQLException {
        try (Connection connection = database.connect()) {
            JournalSchema.grant(
                    connection,
                    DatabaseRoles.NONE
                            .producer(PRODUCER)
                            .relay(RELAY_ROLE)
                            .viewer(VIEWER)
                            .operator(OPERATOR)
                            .revealer(REVEALER));
        }
    }
}
