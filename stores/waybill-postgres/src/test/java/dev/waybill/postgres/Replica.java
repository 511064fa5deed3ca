package dev.waybill.postgres;

import java.sql.SQLException;
import java.util.List;

/** A replica that receives nothing more: what a journal had at a moment, to fail over to later. Kept in a schema of the database. */
public final class Replica {
    private static final List<String> TABLES = List.of("event", "parked", "discarded", "open_window");

    private static final String POSITION = """
            base, base_next, base_floor, target, target_next, target_floor, high, seq, windows, committed_window, committed_seq""";

    private final JournalDatabase database;

    private Replica(JournalDatabase database) {
        this.database = database;
    }

    public static Replica stoppedNow(JournalDatabase database) throws SQLException {
        StringBuilder copies = new StringBuilder("drop schema if exists replica cascade; create schema replica; ");
        TABLES.forEach(table -> copies.append("create table replica.%1$s as table waybill.%1$s; ".formatted(table)));
        database.execute(copies + "create table replica.relay as table waybill.relay");
        return new Replica(database);
    }

    /** Everything that was committed since is lost. The next session must be another. */
    public void promote() throws SQLException {
        StringBuilder restored = new StringBuilder();
        TABLES.forEach(table -> restored.append(
                "delete from waybill.%1$s; insert into waybill.%1$s overriding system value table replica.%1$s; "
                        .formatted(table)));
        database.execute(restored
                + "update waybill.relay r set (%1$s) = (select %1$s from replica.relay s where s.name = r.name)"
                        .formatted(POSITION));
    }
}
