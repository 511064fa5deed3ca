package dev.waybill.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The installed RabbitMQ (Debian's rabbitmq-server) as a separate node on free loopback ports. Its directory and its processes,
 * including Erlang's port mapper, are removed by {@link #close()} and when the JVM exits; those of a killed JVM are removed by the
 * next start. Check {@link #isInstalled()} first.
 *
 * <p>Safe for use by many threads, except that stop, restart and close must not run concurrently.
 */
public final class RabbitServer implements AutoCloseable {
    private static final Duration START_WAIT = Duration.ofMinutes(2);

    private final RabbitNode node;
    private final AtExit closeAtExit = AtExit.run(this::close);
    private @Nullable ServerProcess epmd;
    private @Nullable ServerProcess process;

    private RabbitServer(RabbitNode node) {
        this.node = node;
    }

    /** Whether the programs are installed; otherwise tests that need them are skipped. */
    public static boolean isInstalled() {
        return RabbitNode.isInstalled();
    }

    public static RabbitServer start() {
        return start(Map.of());
    }

    /** @param extraSettings as in rabbitmq.conf; they override the defaults, except for the address */
    public static RabbitServer start(Map<String, String> extraSettings) {
        if (!isInstalled()) {
            throw new EmbeddedServerException("RabbitMQ is not installed (" + RabbitNode.whatIsNeeded()
                    + " are needed): install rabbitmq-server.");
        }
        ServerDirectory.sweepOrphans();
        RabbitServer server = new RabbitServer(RabbitNode.create(extraSettings));
        try {
            server.restart();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    public int port() {
        return node.port();
    }

    /** With the default user of RabbitMQ. */
    public String uri() {
        return "amqp://guest:guest@127.0.0.1:" + port();
    }

    /** @throws EmbeddedServerException if it is stopped */
    public synchronized long pid() {
        if (process == null) {
            throw new EmbeddedServerException(
                    "RabbitMQ on port " + port() + " is stopped and has no process; restart() starts it again.");
        }
        return process.pid();
    }

    /** Erlang's port mapper, which only this server uses. */
    synchronized long epmdPid() {
        if (epmd == null) {
            throw new EmbeddedServerException("RabbitMQ on port " + port() + " is closed.");
        }
        return epmd.pid();
    }

    /**
     * Runs rabbitmqctl on this server, as in {@code control("add_user", "reader", "secret")}.
     *
     * @return what it printed
     */
    public String control(String... words) {
        RabbitNode.Answer answer = node.control(words);
        if (answer.exitCode() != 0) {
            throw new EmbeddedServerException(
                    "rabbitmqctl " + words[0] + " ended with " + answer.exitCode() + ": " + answer.output());
        }
        return answer.output();
    }

    /** Sets the memory alarm: the server blocks every connection that publishes. */
    public void raiseMemoryAlarm() {
        call("vm_memory_monitor set_vm_memory_high_watermark [0.0]");
    }

    public void clearMemoryAlarm() {
        call("vm_memory_monitor set_vm_memory_high_watermark [0.9]");
    }

    /**
     * Writes declared queues to disk. RabbitMQ answers a declare up to two seconds before that: a node that is killed meanwhile
     * restarts without the queue and the confirmed messages in it.
     */
    public void syncDeclarations() {
        call("mnesia sync_log []");
    }

    /** Calls a function that returns ok. */
    private void call(String call) {
        RabbitNode.Answer answer = node.call(call, START_WAIT);
        if (answer.exitCode() != 0 || !answer.output().strip().equals("ok")) {
            throw new EmbeddedServerException("RabbitMQ on port " + port() + " answered the call \"" + call + "\" with "
                    + answer.exitCode() + ": " + answer.output());
        }
    }

    /** Stops the server normally, and returns when its process has ended. */
    public synchronized void stop() {
        if (process != null) {
            process.end("TERM");
            process = null;
        }
    }

    /** Kills the server, and returns when its process has ended. */
    public synchronized void stopImmediately() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    /** Starts the stopped server on the same ports and data; returns when it can be used. */
    public synchronized void restart() {
        if (process != null) {
            throw new EmbeddedServerException("RabbitMQ on port " + port() + " is running already; stop it first.");
        }
        if (epmd == null) {
            epmd = node.startEpmd();
        }
        ServerProcess started = node.startServer();
        process = started;
        try {
            awaitListening(started);
            // It listens before the last steps of its start are done.
            call("rabbit await_startup []");
        } catch (RuntimeException e) {
            stopImmediately();
            throw e;
        }
    }

    private void awaitListening(ServerProcess started) {
        long deadline = System.nanoTime() + START_WAIT.toNanos();
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port()).close();
                return;
            } catch (IOException e) {
                if (!started.isRunning() || System.nanoTime() - deadline > 0) {
                    throw failed("it accepted no connection: " + e.getMessage());
                }
                LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
            }
        }
    }

    private EmbeddedServerException failed(String why) {
        return new EmbeddedServerException("RabbitMQ did not start on port " + port() + ": " + why
                + ". The last lines of its log:" + System.lineSeparator()
                + node.directory().endOfLog());
    }

    @Override
    public synchronized void close() {
        stopImmediately();
        if (epmd != null) {
            epmd.kill();
            epmd = null;
        }
        node.directory().delete();
        closeAtExit.cancel();
    }
}
