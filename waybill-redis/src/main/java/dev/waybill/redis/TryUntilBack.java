package dev.waybill.redis;

import dev.waybill.spi.FailureKind;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import redis.clients.jedis.exceptions.JedisException;

/** Tries something again and again while Redis is away, with pauses that grow, for a limited time. */
record TryUntilBack(Duration atMost) {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    /**
     * @throws JedisException the last one, when the time is over, the thread was interrupted, or Redis is not away but refuses
     */
    void run(Runnable command) {
        long deadline = System.nanoTime() + atMost.toNanos();
        long pause = FIRST_PAUSE.toNanos();
        while (true) {
            try {
                command.run();
                return;
            } catch (JedisException e) {
                boolean over = System.nanoTime() - deadline > 0
                        || Thread.currentThread().isInterrupted();
                if (over || FailureKind.of(e) == FailureKind.FAILED) {
                    throw e;
                }
                LockSupport.parkNanos(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE.toNanos());
            }
        }
    }
}
