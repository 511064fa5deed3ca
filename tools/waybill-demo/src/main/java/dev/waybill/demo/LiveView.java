package dev.waybill.demo;

import dev.waybill.admin.RelayStatus;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Shows the progress: redrawn on a terminal, otherwise as a line every two seconds. */
final class LiveView implements AutoCloseable {
    private static final long REDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int BAR = 40;
    private static final int LINES = 6;

    private final Shop shop;
    private final OrderService service;
    private final Consumer consumer;
    private final long goal;
    /** From the launcher, since the JVM reports it differently from version to version. */
    private final boolean terminal = Boolean.getBoolean("waybill.terminal");

    private boolean drawn;
    private long lastAppended;
    private long lastReceived;
    private long lastAt = System.nanoTime();

    LiveView(Shop shop, OrderService service, Consumer consumer, long goal) {
        this.shop = shop;
        this.service = service;
        this.consumer = consumer;
        this.goal = goal;
    }

    /** Draws until the end is reached. */
    void show(BooleanSupplier ended) {
        long every = terminal ? REDRAW_NANOS : LINE_NANOS;
        long next = System.nanoTime() + every;
        while (!ended.getAsBoolean()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            if (System.nanoTime() - next >= 0) {
                draw();
                next = System.nanoTime() + every;
            }
            String problem = service.problem();
            if (problem != null) {
                throw new IllegalStateException(problem);
            }
        }
        draw();
    }

    private void draw() {
        List<RelayStatus> relays = shop.admin().relays();
        long backlog = relays.stream().mapToLong(RelayStatus::backlog).sum();
        String oldest = relays.stream()
                .flatMap(relay -> relay.oldest().stream())
                .max(Duration::compareTo)
                .map(age -> String.format(Locale.ROOT, "%.2f s", age.toMillis() / 1000.0))
                .orElse("-");
        long now = System.nanoTime();
        double seconds = Math.max(1e-3, (now - lastAt) / 1e9);
        long appended = service.appended();
        long received = consumer.received();
        double appendRate = (appended - lastAppended) / seconds;
        double receiveRate = (received - lastReceived) / seconds;
        lastAt = now;
        lastAppended = appended;
        lastReceived = received;
        if (!terminal) {
            System.out.printf(
                    Locale.ROOT,
                    "appended %,d (%,.0f/s)  delivered %,d (%,.0f/s)  backlog %,d  oldest %s%n",
                    appended,
                    appendRate,
                    received,
                    receiveRate,
                    backlog,
                    oldest);
            return;
        }
        String up = drawn ? "\033[" + LINES + "A" : "";
        drawn = true;
        long end = goal == Demo.ENDLESS ? Math.max(appended, 1) : goal;
        System.out.printf(
                Locale.ROOT,
                up + "\033[K  order service  %,12d appended    %,9.0f/s   (%,d rolled back)%n"
                        + "\033[K  relay          %,12d published   %s%n"
                        + "\033[K  consumer       %,12d delivered   %,9.0f/s%n"
                        + "\033[K  backlog        %,12d events      oldest %s%n"
                        + "\033[K  [%s] %3.0f %%%n"
                        + "\033[K  Ctrl-C stops%n",
                appended,
                appendRate,
                service.rolledBack(),
                shop.statistics().published(),
                phase(),
                received,
                receiveRate,
                backlog,
                oldest,
                bar((double) received / end),
                Math.min(100, 100.0 * received / end));
    }

    private String phase() {
        var state = shop.statistics().state();
        return state.phase().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + state.problem().map(problem -> ": " + problem).orElse("");
    }

    private static String bar(double share) {
        int full = (int) Math.round(BAR * Math.min(1, share));
        return "█".repeat(full) + "·".repeat(BAR - full);
    }

    @Override
    public void close() {
        System.out.flush();
    }
}
