package dev.waybill.testkit.random;

import java.sql.SQLException;
import java.util.Random;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Something that claims to read every committed event, once and in order. */
public interface Reader extends AutoCloseable {
    /**
     * Reads on.
     *
     * @param sink gets every event as it is read, as a destination would; what it got stays read when this fails later
     * @return false when there was nothing to read
     */
    boolean readSome(Consumer<ReadEvent> sink) throws SQLException;

    /** The server crashed and is back; what was open on it is lost. */
    void crashed() throws SQLException;

    @Override
    void close();

    /** How to get one. */
    interface Maker {
        Reader open(DataSource dataSource, Random random) throws SQLException;
    }
}
