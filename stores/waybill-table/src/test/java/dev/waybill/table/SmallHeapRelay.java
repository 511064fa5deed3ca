package dev.waybill.table;

import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** A relay in its own process with little memory. Publishes a number of events and prints the cost of a claim. */
public final class SmallHeapRelay {
    private static final Limits LIMITS = new Limits(1_000, 8_000_000);
    private static final int MOST_CLAIMS = 500;

    private SmallHeapRelay() {}

    /** Arguments: URL of the database, preset, number of events. */
    public static void main(String[] arguments) throws Exception {
        TableStore store =
                TableStore.on(dataSource(arguments[0]), TableLayout.preset(arguments[1]), TableOptions.defaults());
        int wanted = Integer.parseInt(arguments[2]);
        int published = 0;
        int claims = 0;
        long began = System.nanoTime();
        try (RelaySession session = store.open(TableFixture.RELAY, new OwnerId("small"), TableFixture.LEASE)
                .orElseThrow()) {
            while (published < wanted && claims < MOST_CLAIMS) {
                Optional<Batch> batch = session.claim(LIMITS);
                claims++;
                if (batch.isPresent()) {
                    TableFixture.publish(session, batch.get());
                    published += batch.get().events().size();
                }
            }
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        System.out.println("published " + published + " in " + claims + " claims, " + millis / claims + " ms each");
    }

    private static DataSource dataSource(String url) throws SQLException {
        if (url.startsWith("jdbc:mariadb:")) {
            return new MariaDbDataSource(url);
        }
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL(url);
        return h2;
    }
}
