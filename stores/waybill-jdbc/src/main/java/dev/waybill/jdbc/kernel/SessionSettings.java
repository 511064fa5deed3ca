package dev.waybill.jdbc.kernel;

import java.sql.Connection;
import java.sql.SQLException;

/** What was set in a server session before a connection of ours changed it. */
public interface SessionSettings {
    /** Reads what is set, and sets what the connection needs. */
    interface Applying {
        SessionSettings to(Connection connection) throws SQLException;
    }

    /** Sets again what was found, whatever was changed since. In autocommit. */
    void restore(Connection connection) throws SQLException;
}
