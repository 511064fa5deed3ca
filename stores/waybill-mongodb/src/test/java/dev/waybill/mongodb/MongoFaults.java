package dev.waybill.mongodb;

import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import com.mongodb.event.ConnectionCheckedInEvent;
import com.mongodb.event.ConnectionCheckedOutEvent;
import com.mongodb.event.ConnectionPoolListener;
import dev.waybill.standin.CommandFaults;
import dev.waybill.standin.ServerError;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.Faults;
import dev.waybill.tck.faults.InjectedError;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;

/**
 * Makes one command of a client fail. The driver tells of a command on the caller's thread just before it sends it: there an
 * Error is thrown, or the command hangs; whatever else is to happen to it the stand-in does.
 *
 * <p>The driver sends some commands once more when the server was away. Every second one that fails so fails twice, so that
 * the store sees it too.
 */
final class MongoFaults implements CommandFaults, FaultInjection, CommandListener, ConnectionPoolListener {
    private static final Set<String> NOT_COUNTED = Set.of("hello", "isMaster", "ismaster", "ping", "endSessions");

    private final Faults faults = new Faults();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger met = new AtomicInteger();
    private final Map<Integer, Meant> meant = new ConcurrentHashMap<>();
    private final Set<Integer> errorAfter = ConcurrentHashMap.newKeySet();
    private final Map<Thread, Meant> again = new ConcurrentHashMap<>();

    /**
     * What happens to one command.
     *
     * @param number how many have failed before
     */
    private record Meant(Failure how, String command, boolean inTransaction, int number) {
        /** The server ends a transaction that is left behind after a minute. Here it does so at once. */
        private Fault onTheWire() {
            boolean isExecuted = how == Failure.REPLY_LOST || command.equals("abortTransaction");
            return new Fault(
                    isExecuted, isOfServer() ? Optional.of(error().reply(command, inTransaction)) : Optional.empty());
        }

        private boolean isOfServer() {
            return Failure.OF_A_SERVER.contains(how) || how == Failure.BEFORE;
        }

        /** Whether the driver tries again by itself. */
        private boolean isTriedAgain() {
            return how == Failure.DISCONNECTED || how == Failure.BEFORE || how == Failure.READ_ONLY;
        }

        private ServerError error() {
            return switch (how) {
                case LOCK_TIMEOUT -> ServerError.WRITE_CONFLICT;
                case STATEMENT_TIMEOUT -> ServerError.MAX_TIME_EXPIRED;
                case SERIALIZATION_CONFLICT ->
                    inTransaction ? ServerError.NO_SUCH_TRANSACTION : ServerError.WRITE_CONFLICT;
                case DISK_FULL -> ServerError.OUT_OF_DISK_SPACE;
                case READ_ONLY -> ServerError.PRIMARY_STEPPED_DOWN;
                case BEFORE -> number % 2 == 0 ? ServerError.SHUTDOWN_IN_PROGRESS : ServerError.INTERRUPTED_AT_SHUTDOWN;
                case REPLY_LOST, DISCONNECTED, ERROR, ERROR_AFTER, ERROR_TWICE, HOSTILE_EXCEPTION, STALL ->
                    throw new IllegalStateException(how + " is no error of a server.");
            };
        }
    }

    @Override
    public Faults faults() {
        return faults;
    }

    @Override
    public Set<Failure> ways() {
        return EnumSet.complementOf(EnumSet.of(Failure.HOSTILE_EXCEPTION));
    }

    /** Connections that were taken from the pool and not returned. */
    @Override
    public int openConnections() {
        return open.get();
    }

    @Override
    public Optional<Fault> take(int requestId) {
        return Optional.ofNullable(meant.remove(requestId)).map(Meant::onTheWire);
    }

    @Override
    public void commandStarted(CommandStartedEvent event) {
        String name = event.getCommandName();
        if (NOT_COUNTED.contains(name)) {
            return;
        }
        Meant repeated = again.remove(Thread.currentThread());
        if (repeated != null && repeated.command.equals(name)) {
            meant.put(event.getRequestId(), repeated);
            return;
        }
        Optional<Failure> failure = faults.next(name + " " + collection(event.getCommand(), name));
        if (failure.isEmpty()) {
            return;
        }
        // A transaction that is left behind the server ends after a minute. Here it does so at once.
        boolean isError = failure.get() == Failure.ERROR || failure.get() == Failure.ERROR_TWICE;
        if (isError && !name.equals("abortTransaction")) {
            throw new InjectedError(name);
        }
        Meant fault = new Meant(failure.get(), name, isInTransaction(event.getCommand()), met.getAndIncrement());
        if (isError || fault.how == Failure.ERROR_AFTER) {
            errorAfter.add(event.getRequestId());
            return;
        }
        meant.put(event.getRequestId(), fault);
        if (fault.isTriedAgain() && fault.number % 2 == 1) {
            again.put(Thread.currentThread(), fault);
        }
    }

    private static String collection(BsonDocument command, String name) {
        return command.isString(name) ? command.getString(name).getValue() : "";
    }

    private static boolean isInTransaction(BsonDocument command) {
        return command.containsKey("autocommit");
    }

    @Override
    public void commandSucceeded(CommandSucceededEvent event) {
        throwErrorAfter(event.getRequestId(), event.getCommandName());
    }

    @Override
    public void commandFailed(CommandFailedEvent event) {
        throwErrorAfter(event.getRequestId(), event.getCommandName());
    }

    private void throwErrorAfter(int requestId, String name) {
        if (errorAfter.remove(requestId)) {
            throw new InjectedError(name);
        }
    }

    @Override
    public void connectionCheckedOut(ConnectionCheckedOutEvent event) {
        open.incrementAndGet();
    }

    @Override
    public void connectionCheckedIn(ConnectionCheckedInEvent event) {
        open.decrementAndGet();
    }
}
