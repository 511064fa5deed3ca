package dev.waybill.redis;

import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.Faults;
import dev.waybill.tck.faults.InjectedError;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import redis.clients.jedis.CommandObject;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.executors.CommandExecutor;

/** Commands to a real Redis, one of which can be made to fail. */
final class FaultyRedis implements CommandExecutor, FaultInjection {
    private final Faults faults = new Faults();
    private final UnifiedJedis redis;

    FaultyRedis(UnifiedJedis redis) {
        this.redis = redis;
    }

    @SuppressWarnings("deprecation") // the only constructor that takes an executor
    UnifiedJedis client() {
        return new UnifiedJedis(this);
    }

    @Override
    public <R> R executeCommand(CommandObject<R> command) {
        Optional<Failure> failure =
                faults.next(command.getArguments().getCommand().toString());
        if (failure.isEmpty()) {
            return redis.executeCommand(command);
        }
        Failure how = failure.get();
        if (how == Failure.REPLY_LOST || how == Failure.ERROR_AFTER) {
            redis.executeCommand(command);
        }
        switch (how) {
            case BEFORE, REPLY_LOST, DISCONNECTED, HOSTILE_EXCEPTION, STALL ->
                throw new JedisConnectionException("injected: " + how);
            case ERROR, ERROR_AFTER, ERROR_TWICE -> throw new InjectedError("a command");
            case LOCK_TIMEOUT -> answer("BUSY Redis is busy running a script.");
            case STATEMENT_TIMEOUT -> answer("LOADING Redis is loading the dataset in memory");
            case SERIALIZATION_CONFLICT -> answer("TRYAGAIN Multiple keys request during rehashing of slot");
            case DISK_FULL -> answer("OOM command not allowed when used memory > 'maxmemory'.");
            case READ_ONLY -> answer("READONLY You can't write against a read only replica.");
        }
        throw new AssertionError("The server did not answer with an error.");
    }

    /** By the server itself. */
    private void answer(String error) {
        redis.eval("return redis.error_reply(ARGV[1])", 0, error);
    }

    @Override
    public Faults faults() {
        return faults;
    }

    @Override
    public Set<Failure> ways() {
        return EnumSet.allOf(Failure.class);
    }

    @Override
    public int openConnections() {
        return 0;
    }

    @Override
    public void close() {}
}
