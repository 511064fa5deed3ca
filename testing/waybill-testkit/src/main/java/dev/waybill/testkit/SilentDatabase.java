package dev.waybill.testkit;

import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A database that accepts connections and does not answer until it is closed. */
public final class SilentDatabase {
    private final CountDownLatch gone = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();

    public DataSource dataSource() {
        return (DataSource) Proxy.newProxyInstance(
                SilentDatabase.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    asked.incrementAndGet();
                    for (boolean waiting = true; waiting; ) {
                        try {
                            gone.await();
                            waiting = false;
                        } catch (InterruptedException e) {
                            // Blocks like a driver that reads from a socket.
                        }
                    }
                    throw new SQLException("the server is gone");
                });
    }

    /** Number of requested connections. */
    public int asked() {
        return asked.get();
    }

    public void goAway() {
        gone.countDown();
    }
}
