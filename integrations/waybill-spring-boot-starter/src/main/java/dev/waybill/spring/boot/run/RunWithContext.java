package dev.waybill.spring.boot.run;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.springframework.context.SmartLifecycle;

/** Starts and stops several things with the application's context. All are stopped at once, so that grace times do not add up. */
abstract class RunWithContext implements SmartLifecycle {
    private final String what;
    private final BooleanSupplier autoStartup;
    private final int phase;
    private final AtomicBoolean started = new AtomicBoolean();

    /** @param autoStartup asked at the start, because ahead-of-time processing fixes what beans exist */
    RunWithContext(String what, int phase, BooleanSupplier autoStartup) {
        this.what = what;
        this.phase = phase;
        this.autoStartup = autoStartup;
    }

    /** Starts all of them; does not throw if some fail. */
    abstract void startAll();

    /** What closes those that run, which are forgotten. */
    abstract List<Runnable> takeAll();

    @Override
    public final boolean isAutoStartup() {
        return autoStartup.getAsBoolean();
    }

    @Override
    public final int getPhase() {
        return phase;
    }

    @Override
    public final boolean isRunning() {
        return started.get();
    }

    @Override
    public final void start() {
        if (started.compareAndSet(false, true)) {
            startAll();
        }
    }

    @Override
    public final void stop() {
        CountDownLatch stopped = new CountDownLatch(1);
        stop(stopped::countDown);
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns at once. The context waits for the call of {@code done}, but no longer than its timeout. */
    @Override
    public final void stop(Runnable done) {
        List<Runnable> closing = takeAll();
        started.set(false);
        Runnable work = () -> {
            try {
                runTogether(closing);
            } finally {
                done.run();
            }
        };
        new Thread(work, "waybill-stop-" + what).start();
    }

    private void runTogether(Collection<Runnable> closing) {
        List<Thread> threads = closing.stream()
                .map(each -> new Thread(each, "waybill-stop-one-of-" + what))
                .toList();
        threads.forEach(Thread::start);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
