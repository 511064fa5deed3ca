package dev.waybill.jdbc.kernel;

import java.sql.SQLException;

/** A piece of work on a connection. */
public interface SqlWork<R> {
    R run() throws SQLException;
}
