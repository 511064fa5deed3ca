package dev.waybill.testkit;

import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A database that accepts, and says nothing until it goes away. */
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
                            // As a driver that reads from a socket.
                        }
                    }
                    throw new SQLException("the server is gone");
                });
    }

    /** How often somebody asked for a connection. */
    public int asked() {
        return asked.get();
    }

    public void goAway() {
        gone.countDown();
    }
}
