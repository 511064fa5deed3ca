package dev.waybill.postgres.random;

import dev.waybill.testkit.random.ReadEvent;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** Broken: a lower seq may be committed after a higher one was read. */
final class SeqCursorReader extends SqlReader {
    private long last;

    SeqCursorReader(DataSource dataSource) throws SQLException {
        super(dataSource);
    }

    @Override
    public boolean readSome(Consumer<ReadEvent> sink) throws SQLException {
        return readRows(
                "seq > ?::bigint order by seq limit 500",
                row -> {
                    sink.accept(row.event());
                    last = row.seq();
                },
                String.valueOf(last));
    }
}
