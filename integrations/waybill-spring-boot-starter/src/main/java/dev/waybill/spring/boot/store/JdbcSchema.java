package dev.waybill.spring.boot.store;

import dev.waybill.jdbc.layout.LayoutCheck;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.postgres.JournalSchema;
import dev.waybill.table.ProcessedEvents;
import dev.waybill.table.TableSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** The tables of a store in a relational database. */
interface JdbcSchema {
    /** Its name in messages. */
    String what();

    void create(Connection connection) throws SQLException;

    /**
     * @throws SQLException if something is missing; its message says what
     * @throws IllegalArgumentException if a table has another form; its message says which
     */
    void validate(Connection connection) throws SQLException;

    /** The schema of the journal. */
    record Journal() implements JdbcSchema {
        @Override
        public String what() {
            return "the journal, schema waybill";
        }

        @Override
        public void create(Connection connection) throws SQLException {
            JournalSchema.create(connection);
        }

        @Override
        public void validate(Connection connection) throws SQLException {
            JournalSchema.requireAppendable(connection);
        }
    }

    /** The table of a layout, and its side tables. */
    record Table(TableLayout layout, Optional<String> guard) implements JdbcSchema {
        @Override
        public String what() {
            return "table " + layout.tableName();
        }

        @Override
        public void create(Connection connection) throws SQLException {
            TableSchema.create(connection, layout);
            if (guard.isPresent()) {
                ProcessedEvents.create(connection, layout, guard.get());
            }
        }

        @Override
        public void validate(Connection connection) throws SQLException {
            LayoutCheck.require(connection, layout);
        }
    }
}
