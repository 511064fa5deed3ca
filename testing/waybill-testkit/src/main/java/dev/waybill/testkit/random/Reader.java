package dev.waybill.testkit.random;

import java.sql.SQLException;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A reader that should read every committed event once and in order. */
public interface Reader extends AutoCloseable {
    /**
     * Reads further events.
     *
     * @param sink receives every event as it is read, like a destination; these events count as read even if this call
     * fails later
     * @return false if there was nothing to read
     */
    boolean readSome(Consumer<ReadEvent> sink) throws SQLException;

    /** Called after the server crashed and restarted; its open transactions are lost. */
    void crashed() throws SQLException;

    @Override
    void close();

    /** Creates readers. */
    interface Maker {
        Reader open(DataSource dataSource, Random random) throws SQLException;
    }
}
