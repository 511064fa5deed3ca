package dev.waybill.redis;

import dev.waybill.Inbox;
import dev.waybill.InboxBusyException;
import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.InvalidEventException;
import dev.waybill.spi.FailureKind;
import dev.waybill.spi.NoTransaction;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsAwayException;
import java.util.List;
import java.util.UUID;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/**
 * An inbox in Redis, for effects that no database transaction carries. Safe for use by many threads.
 *
 * <p>A key is set to <em>processing</em> before the effect, for a short time, and to <em>done</em> after it, for a long one.
 * Only <em>done</em> makes an event a duplicate; while it is <em>processing</em> nobody may acknowledge it, so {@link
 * InboxBusyException} is thrown. When the effect fails the key is removed, and the event may come again at once.
 *
 * <p><b>What it cannot promise.</b> Effect and key are not kept together: a consumer that dies between them leaves
 * <em>processing</em>, and when that has run out the effect happens again. The same holds for an effect that takes longer than
 * that time, and for keys that Redis loses in a failover or evicts. Where an effect must never happen twice, keep it in a
 * database, with the inbox beside it.
 */
public final class RedisInbox implements Inbox<NoTransaction> {
    private static final String DONE = "done";
    private static final String PROCESSING = "processing:";

    /** Another may have taken the key over when this one was too slow: only its own mark is touched. */
    private static final String MARK_DONE = """
            local state = redis.call('get', KEYS[1])
            if state == ARGV[1] or not state then
                redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3])
                return 1
            end
            return 0""";

    /** So many times as long as an event may be at work. */
    private static final int MARKING_LASTS = 10;

    private static final String GIVE_BACK = """
            if redis.call('get', KEYS[1]) == ARGV[1] then
                return redis.call('del', KEYS[1])
            end
            return 0""";

    private final UnifiedJedis redis;
    private final RedisInboxOptions options;

    private RedisInbox(UnifiedJedis redis, RedisInboxOptions options) {
        this.redis = redis;
        this.options = options;
    }

    /**
     * @param redis a pool; stays the caller's to close
     */
    public static RedisInbox on(UnifiedJedis redis, RedisInboxOptions options) {
        return new RedisInbox(redis, options);
    }

    @Override
    public <E extends Exception> Outcome handleOnce(
            NoTransaction none, String consumer, Incoming event, Effect<NoTransaction, E> effect) throws E {
        if (event.version().isPresent()) {
            throw new InvalidEventException("An inbox in Redis keeps no versions of entities: use one in a database.");
        }
        String key = options.key(consumer, event.eventId());
        String mark = PROCESSING + UUID.randomUUID();
        if (!begin(key, mark, event)) {
            return Outcome.DUPLICATE;
        }
        boolean applied = false;
        try {
            effect.apply(none);
            applied = true;
        } finally {
            if (!applied) {
                giveBack(key, mark);
            }
        }
        markDone(key, mark, event);
        return Outcome.HANDLED;
    }

    /**
     * @return false when it is done
     */
    private boolean begin(String key, String mark, Incoming event) {
        try {
            SetParams ifAbsent = SetParams.setParams().nx().px(options.atWork().toMillis());
            if (redis.set(key, mark, ifAbsent) != null) {
                return true;
            }
            String state = redis.get(key);
            if (DONE.equals(state)) {
                return false;
            }
            throw new InboxBusyException("Another is at work on event " + event.eventId()
                    + ": do not acknowledge it; it is a duplicate only when that one is done.");
        } catch (JedisException e) {
            throw failed("Redis could not be asked about event " + event.eventId(), e);
        }
    }

    /**
     * The effect has happened, so while Redis is away this is tried again and again: giving up lets the effect happen once more.
     * A key that ran out meanwhile is set too, unless another has begun.
     */
    private void markDone(String key, String mark, Incoming event) {
        List<String> values =
                List.of(mark, DONE, Long.toString(options.remember().toMillis()));
        try {
            new TryUntilBack(options.atWork().multipliedBy(MARKING_LASTS))
                    .run(() -> redis.eval(MARK_DONE, List.of(key), values));
        } catch (JedisException e) {
            throw failed(
                    "Event " + event.eventId()
                            + " was handled, but Redis could not be told: its effect happens again in "
                            + options.atWork().toSeconds() + " s",
                    e);
        }
    }

    /** If that fails too, the key runs out by itself. */
    private void giveBack(String key, String mark) {
        try {
            redis.eval(GIVE_BACK, List.of(key), List.of(mark));
        } catch (JedisException e) {
            // What the effect threw is what the caller must hear of.
            return;
        }
    }

    private static RuntimeException failed(String what, JedisException e) {
        String message = what + " (" + e.getMessage() + ").";
        return switch (FailureKind.of(e)) {
            case AWAY -> new TransactionsAwayException(message, e);
            case CONFLICT -> new TransactionConflictException(message, e);
            case FAILED -> new InboxException(message, e);
        };
    }
}
