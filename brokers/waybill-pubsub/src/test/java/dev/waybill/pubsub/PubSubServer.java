package dev.waybill.pubsub;

import dev.waybill.tck.destination.DestinationHarness.Outage;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A test server for Pub/Sub in this JVM, on a free loopback port: it keeps topics and subscriptions, makes the same checks as the
 * real service, and fails as requested ({@link Faults}). It can be stopped and restarted with its data.
 */
final class PubSubServer implements AutoCloseable {
    private static final int LARGEST_REQUEST = 32_000_000;

    private final TopicLog log = new TopicLog();
    private final Faults faults = new Faults();
    private final FailingRequests failingRequests = new FailingRequests();
    private final FailingPublishes failing = new FailingPublishes();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread daemon = new Thread(task, "pubsub-server");
        daemon.setDaemon(true);
        return daemon;
    });
    private final PublisherService publisher = new PublisherService(log, faults, failing, this::disconnectSoon);
    private final SubscriberService subscriber = new SubscriberService(log, threads);
    private final int port;
    private final Topics topics;
    private Server running;

    PubSubServer() {
        running = start(0);
        port = running.getPort();
        topics = new Topics(address());
    }

    /** A client of this server, for tests. */
    Topics topics() {
        return topics;
    }

    String address() {
        return InetAddress.getLoopbackAddress().getHostAddress() + ":" + port;
    }

    TopicLog log() {
        return log;
    }

    Faults faults() {
        return faults;
    }

    FailingRequests failingRequests() {
        return failingRequests;
    }

    FailingPublishes failing() {
        return failing;
    }

    /** The server cannot end while it waits for the caller, which is one of its own threads. */
    private void disconnectSoon() {
        threads.execute(() -> {
            stop();
            restart();
        });
    }

    SubscriberService subscriber() {
        return subscriber;
    }

    int mostRequestsAtOnce() {
        return publisher.mostAtOnce();
    }

    Outage outage() {
        return new Outage() {
            @Override
            public void begin() {
                stop();
            }

            @Override
            public void end() {
                restart();
            }
        };
    }

    synchronized void stop() {
        faults.releaseAll();
        running.shutdownNow();
        try {
            if (!running.awaitTermination(30, TimeUnit.SECONDS)) {
                throw new AssertionError("The Pub/Sub server on " + address() + " did not stop within 30 s.");
            }
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted while the server stopped.", e);
        }
    }

    synchronized void restart() {
        if (running.isShutdown()) {
            running = start(port);
        }
    }

    private Server start(int onPort) {
        try {
            return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), onPort))
                    .executor(threads)
                    .maxInboundMessageSize(LARGEST_REQUEST)
                    .intercept(failingRequests)
                    .addService(publisher)
                    .addService(subscriber)
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("The Pub/Sub server did not start on port " + onPort + ".", e);
        }
    }

    @Override
    public void close() {
        topics.close();
        stop();
        threads.shutdownNow();
    }
}
