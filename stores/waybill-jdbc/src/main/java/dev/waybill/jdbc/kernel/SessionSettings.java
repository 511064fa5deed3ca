package dev.waybill.jdbc.kernel;

import java.sql.Connection;
import java.sql.SQLException;

/** Original settings of a server session. */
public interface SessionSettings {
    /** Reads the current settings and applies those that the connection needs. */
    interface Applying {
        SessionSettings to(Connection connection) throws SQLException;
    }

    /** Changes nothing. */
    Applying NONE = fresh -> restored -> {};

    /** Restores the original settings. In autocommit. */
    void restore(Connection connection) throws SQLException;
}
