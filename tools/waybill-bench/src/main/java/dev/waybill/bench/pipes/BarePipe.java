package dev.waybill.bench.pipes;

import dev.waybill.bench.servers.Progress;
import dev.waybill.format.Format;
import dev.waybill.format.Formatted;
import dev.waybill.route.Address;
import dev.waybill.route.Route;
import dev.waybill.spi.EventFacts;
import dev.waybill.spi.OutboundMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Something to compare with: reads rows by the primary key in pages and sends them, and nothing else. It keeps no position, misses late
 * transactions, holds no lease and does not wait for acknowledgements before it reads on.
 */
public final class BarePipe implements Contender {
    private static final int PAGE = 2_000;
    private final Connection connection;
    private final Sending sending;
    private final Route route;
    private final Format format;
    private final String read;
    private long after;

    public BarePipe(DataSource dataSource, Sending sending, Route route, Format format, Backlog backlog)
            throws SQLException {
        this.read = backlog.read();
        this.connection = dataSource.getConnection();
        this.sending = sending;
        this.route = route;
        this.format = format;
    }

    @Override
    public String name() {
        return "bare pipe";
    }

    /** It reads every row again, marked or not. */
    @Override
    public void prepare() {
        after = 0;
    }

    @Override
    public void drain() throws SQLException {
        int count = PAGE;
        try (PreparedStatement statement = connection.prepareStatement(read)) {
            while (count == PAGE) {
                statement.setLong(1, after);
                statement.setInt(2, PAGE);
                count = 0;
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        after = row.getLong(1);
                        sending.send(message(row, route, format));
                        count++;
                    }
                }
            }
        }
        sending.flush();
    }

    /** The first rows as messages, for contenders that send from memory. */
    public static List<OutboundMessage> sample(
            DataSource dataSource, Backlog backlog, Route route, Format format, int size) throws SQLException {
        List<OutboundMessage> messages = new ArrayList<>();
        try (Connection connection = dataSource.getConnection();
                PreparedStatement statement = connection.prepareStatement(backlog.read())) {
            statement.setLong(1, 0);
            statement.setInt(2, size);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    messages.add(message(row, route, format));
                }
            }
        }
        return messages;
    }

    static OutboundMessage message(ResultSet row, Route route, Format format) throws SQLException {
        PipeRow event = PipeRow.read(row);
        Address address = route.addressOf(event);
        Formatted formatted = format.format(event);
        return new OutboundMessage(
                EventFacts.of(event), address.topic(), address.key(), formatted.value(), formatted.headers());
    }

    /** Nothing to do: it keeps its connections. */
    @Override
    public void putAway() {}

    @Override
    public void close() {
        sending.close();
        try {
            connection.close();
        } catch (SQLException e) {
            Progress.say("the pipe's connection did not close: %s", String.valueOf(e.getMessage()));
        }
    }
}
