package dev.waybill.bench;

import dev.waybill.postgres.PostgresJournal;
import dev.waybill.spi.Destination;
import javax.sql.DataSource;

/** The relay on the journal. Each drain has a relay name of its own, so that it starts with the oldest event. */
final class JournalDrain extends RelayDrain {
    private int runs;

    JournalDrain(DataSource dataSource, Destination destination, Drained drained) {
        super(PostgresJournal.on(dataSource), destination, drained);
    }

    @Override
    public String name() {
        return "journal";
    }

    @Override
    String relayName() {
        return "drain-" + ++runs;
    }

    /** Nothing to do: reading does not change the journal. */
    @Override
    public void prepare() {}
}
