package dev.waybill.demo;

import dev.waybill.embedded.AtExit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for Ctrl-C, and lets the JVM wait until everything is closed; itself it is closed last. */
final class Ending implements AutoCloseable {
    private static final long CLOSE_SECONDS = 60;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);

    /** From now on Ctrl-C is heard here first: actions at the exit run in reverse order. */
    void listen() {
        AtExit unused = AtExit.run(this::interrupted);
    }

    private void interrupted() {
        asked.countDown();
        try {
            if (!done.await(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("waybill demo: not everything ended within " + CLOSE_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isReached() {
        return asked.getCount() == 0;
    }

    void await() throws InterruptedException {
        asked.await();
    }

    @Override
    public void close() {
        done.countDown();
    }
}
