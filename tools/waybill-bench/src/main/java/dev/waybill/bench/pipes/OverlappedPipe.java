package dev.waybill.bench.pipes;

import dev.waybill.bench.servers.Progress;
import dev.waybill.format.Format;
import dev.waybill.route.Route;
import dev.waybill.spi.OutboundMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** The bare pipe with a thread that reads and formats and one that sends. */
public final class OverlappedPipe implements Contender {
    private static final int PAGE = 2_000;

    /** Pages between the threads. */
    private static final int AHEAD = 4;

    private final Connection connection;
    private final Sending sending;
    private final Route route;
    private final Format format;
    private final String read;
    /** Of the reader while it reads. */
    private long after;

    private final ExecutorService reader = Executors.newSingleThreadExecutor();

    public OverlappedPipe(DataSource dataSource, Sending sending, Route route, Format format, Backlog backlog)
            throws SQLException {
        this.read = backlog.read();
        this.connection = dataSource.getConnection();
        this.sending = sending;
        this.route = route;
        this.format = format;
    }

    @Override
    public String name() {
        return "overlapped pipe";
    }

    /** It reads every row again, marked or not. */
    @Override
    public void prepare() {
        after = 0;
    }

    @Override
    public void drain() throws Exception {
        BlockingQueue<List<OutboundMessage>> pages = new ArrayBlockingQueue<>(AHEAD);
        Callable<Void> reading = () -> {
            readInto(pages);
            return null;
        };
        Future<Void> read = reader.submit(reading);
        // An empty page is the last.
        for (List<OutboundMessage> page = next(pages, read); !page.isEmpty(); page = next(pages, read)) {
            page.forEach(sending::send);
        }
        sending.flush();
        read.get();
    }

    private static List<OutboundMessage> next(BlockingQueue<List<OutboundMessage>> pages, Future<Void> read)
            throws InterruptedException, ExecutionException {
        List<OutboundMessage> page = pages.poll(1, TimeUnit.SECONDS);
        while (page == null) {
            if (read.isDone()) {
                // If it failed, that is thrown.
                read.get();
            }
            page = pages.poll(1, TimeUnit.SECONDS);
        }
        return page;
    }

    private void readInto(BlockingQueue<List<OutboundMessage>> pages) throws SQLException, InterruptedException {
        List<OutboundMessage> page;
        try (PreparedStatement statement = connection.prepareStatement(read)) {
            do {
                page = new ArrayList<>(PAGE);
                statement.setLong(1, after);
                statement.setInt(2, PAGE);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        after = row.getLong(1);
                        page.add(BarePipe.message(row, route, format));
                    }
                }
                pages.put(page);
            } while (!page.isEmpty());
        }
    }

    /** Nothing to do: it keeps its connections. */
    @Override
    public void putAway() {}

    @Override
    public void close() {
        reader.shutdownNow();
        sending.close();
        try {
            connection.close();
        } catch (SQLException e) {
            Progress.say("the overlapped pipe's connection did not close: %s", String.valueOf(e.getMessage()));
        }
    }
}
