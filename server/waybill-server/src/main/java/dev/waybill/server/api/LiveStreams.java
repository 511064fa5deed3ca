package dev.waybill.server.api;

import dev.waybill.server.access.Caller;
import dev.waybill.server.access.Door;
import dev.waybill.server.access.RefusedException;
import dev.waybill.server.access.Role;
import dev.waybill.server.http.EventStream;
import dev.waybill.server.http.Request;
import dev.waybill.server.operation.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live streams of open consoles. One thread prepares the data once a second for all of them, and ends with the last stream.
 * Safe for use by many threads.
 */
final class LiveStreams implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LiveStreams.class);

    static final int MOST = 64;
    static final int MOST_PER_PERSON = 8;
    private static final long SECOND = 1_000;
    /** How many seconds pass before it is checked again whether a session is still valid. */
    private static final int CHECK_SECONDS = 15;

    private final Door door;
    private final Answers answers;
    private final Supplier<Obj> overview;
    private final Runnable looking;
    private final Map<EventStream, Viewer> streams = new LinkedHashMap<>();
    private final Map<String, Operation.View> changed = new LinkedHashMap<>();
    private boolean running;
    private boolean closed;

    private record Viewer(Caller caller, Request request) {
        boolean isOperator() {
            return caller.role().includes(Role.OPERATOR);
        }
    }

    /** @param looking called every second while a stream is open */
    LiveStreams(Door door, Answers answers, Supplier<Obj> overview, Runnable looking) {
        this.door = door;
        this.answers = answers;
        this.overview = overview;
        this.looking = looking;
    }

    /** @throws RefusedException if there are too many streams */
    EventStream open(Call call) {
        Caller caller = call.caller();
        EventStream[] self = new EventStream[1];
        EventStream stream = new EventStream(Answers.HEADERS, () -> forget(self[0]));
        self[0] = stream;
        synchronized (this) {
            long own = streams.values().stream()
                    .filter(each -> each.caller.name().equals(caller.name()))
                    .count();
            if (closed || streams.size() >= MOST || own >= MOST_PER_PERSON) {
                throw new RefusedException(
                        "429 Too Many Requests",
                        "too-many",
                        "There are " + own + " streams of yours and " + streams.size()
                                + " in all: close some windows, and try again.");
            }
            streams.put(stream, new Viewer(caller, call.request()));
        }
        try {
            looking.run();
            stream.send("overview", answers.line(overview.get()));
            startUnlessRunning();
        } catch (RuntimeException | Error e) {
            forget(stream);
            throw e;
        }
        return stream;
    }

    private synchronized void startUnlessRunning() {
        if (!running) {
            Thread thread = new Thread(this::run, "waybill-live");
            thread.setDaemon(true);
            thread.start();
            running = true;
        }
    }

    private synchronized void forget(EventStream stream) {
        streams.remove(stream);
    }

    synchronized void operation(Operation.View view) {
        if (!streams.isEmpty()) {
            changed.put(view.id(), view);
        }
    }

    /** Sends something to all, now. */
    void send(String name, Obj value) {
        send(name, value, viewer -> true);
    }

    private void send(String name, Obj value, Predicate<Viewer> to) {
        List<EventStream> all = new ArrayList<>();
        synchronized (this) {
            streams.forEach((stream, viewer) -> {
                if (to.test(viewer)) {
                    all.add(stream);
                }
            });
        }
        if (!all.isEmpty()) {
            String line = answers.line(value);
            all.forEach(stream -> stream.send(name, line));
        }
    }

    private void run() {
        try {
            for (int second = 1; waitForTick(); second++) {
                try {
                    tick(second % CHECK_SECONDS == 0);
                } catch (RuntimeException | Error e) {
                    // Such as a moment without memory: the next second may be better.
                    log.warn("The console could not be told what is new; it is tried again in a second.", e);
                }
            }
        } catch (InterruptedException e) {
            ended();
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            ended();
            throw e;
        }
    }

    /** The next stream starts another thread. */
    private synchronized void ended() {
        running = false;
    }

    /** @return false if no stream is open any more */
    private synchronized boolean waitForTick() throws InterruptedException {
        long end = System.nanoTime() + SECOND * 1_000_000;
        for (long left = SECOND; left > 0 && !closed; left = (end - System.nanoTime()) / 1_000_000) {
            wait(left);
        }
        running = !closed && !streams.isEmpty();
        return running;
    }

    private void tick(boolean checking) {
        looking.run();
        if (checking) {
            endOfThoseWhoLeft();
        }
        List<Operation.View> news;
        synchronized (this) {
            news = new ArrayList<>(changed.values());
            changed.clear();
        }
        send("overview", overview.get());
        news.forEach(view -> {
            send("operation", OperationShape.of(view, true), Viewer::isOperator);
            send("operation", OperationShape.of(view, false), viewer -> !viewer.isOperator());
        });
    }

    private void endOfThoseWhoLeft() {
        Map<EventStream, Viewer> all;
        synchronized (this) {
            all = new LinkedHashMap<>(streams);
        }
        all.forEach((stream, viewer) -> {
            if (!door.caller(viewer.request).role().includes(Role.VIEWER)) {
                end(stream, "The session has ended: sign in again.");
            }
        });
    }

    private void end(EventStream stream, String why) {
        stream.send("bye", answers.line(new Obj().text("why", why)));
        stream.end();
    }

    @Override
    public void close() {
        List<EventStream> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(streams.keySet());
            notifyAll();
        }
        all.forEach(stream -> end(stream, "The process stops."));
    }
}
