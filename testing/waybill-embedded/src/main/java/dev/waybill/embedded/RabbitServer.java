package dev.waybill.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
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

    public void addUser(String name, String password) {
        evaluate("ok = rabbit_auth_backend_internal:add_user(%s, %s, <<\"tests\">>)."
                .formatted(binary(name), binary(password)));
    }

    /** Sets what a user may do: patterns of the names that it may declare, write to and read. */
    public void setPermissions(String user, String configure, String write, String read) {
        evaluate("ok = rabbit_auth_backend_internal:set_permissions(%s, <<\"/\">>, %s, %s, %s, <<\"tests\">>)."
                .formatted(binary(user), binary(configure), binary(write), binary(read)));
    }

    /** The state of each connection, such as "running" or "blocked". */
    public List<String> connectionStates() {
        return evaluate(
                "[io:format(\"~s~n\", [State]) || [{state, State}] <- rabbit_networking:connection_info_all([state])].");
    }

    public void closeAllConnections() {
        evaluate("rabbit_networking:close_connections(rabbit_networking:connections(), \"for a test\").");
    }

    /** Ends every connection without a word, and refuses new ones: to clients it looks as if the server were gone. */
    public void refuseClients() {
        call("rabbit_maintenance suspend_all_client_listeners []");
        evaluate("[exit(Each, kill) || Each <- rabbit_networking:connections()].");
    }

    /** After {@link #refuseClients()}. */
    public void admitClients() {
        call("rabbit_maintenance resume_all_client_listeners []");
    }

    /** Makes it read its certificates again for the next connection. */
    public void forgetCertificates() {
        call("ssl clear_pem_cache []");
    }

    /** Messages in a queue, including those that are delivered and not acknowledged. */
    public long messages(String queue) {
        return count(queue, "messages");
    }

    public long unacknowledged(String queue) {
        return count(queue, "messages_unacknowledged");
    }

    private long count(String queue, String what) {
        return Long.parseLong(evaluate("""
                {ok, Queue} = rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, %s)),
                [{_, Count}] = rabbit_amqqueue:info(Queue, [%s]),
                io:format("~b~n", [Count]).""".formatted(binary(queue), what)).get(0));
    }

    private static String binary(String text) {
        return "<<\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\">>";
    }

    /** @return the lines that the expressions print */
    private List<String> evaluate(String expressions) {
        RabbitNode.Answer answer = node.evaluate(expressions, START_WAIT);
        List<String> lines = answer.output().lines().toList();
        int last = lines.size() - 1;
        if (answer.exitCode() != 0 || last < 0 || !lines.get(last).startsWith("{ok, ")) {
            throw new EmbeddedServerException("RabbitMQ on port " + port() + " answered \"" + expressions + "\" with "
                    + answer.exitCode() + ": " + answer.output());
        }
        return lines.subList(0, last);
    }

    /**
     * Runs rabbitmqctl on this server, as in {@code control("list_users")}; it starts an Erlang of its own, which takes much
     * more time than the other methods.
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
