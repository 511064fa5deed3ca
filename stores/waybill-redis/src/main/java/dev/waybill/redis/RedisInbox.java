package dev.waybill.redis;

import dev.waybill.Inbox;
import dev.waybill.InboxBusyException;
import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransaction;
import dev.waybill.spi.FailureKind;
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
 * <p>When Redis cannot be told that an effect was applied, this process remembers it and tells Redis before it handles
 * anything else, so an outage of Redis alone has no effect happen twice. Keys run out by themselves: nothing has to be purged.
 *
 * <p><b>What it cannot promise.</b> Effect and key are not kept together: a consumer that dies between them leaves
 * <em>processing</em>, and when that has run out the effect happens again. The same holds for an effect that takes longer than
 * that time, and for keys that Redis loses in a failover or evicts. Where an effect must never happen twice, keep it in a
 * database, with the inbox beside it.
 */
public final class RedisInbox implements Inbox<NoTransaction> {
    private static final String DONE = "done";
    private static final String PROCESSING = "processing:";

    /** Another may have taken the key over when this one was too slow: that one's mark is not touched. */
    private static final String MARK_DONE = """
            local mark = redis.call('get', KEYS[1])
            if not mark or mark == ARGV[1] then
                redis.call('set', KEYS[1], ARGV[2], 'PX', ARGV[3])
                return 1
            end
            return 0""";

    private static final String GIVE_BACK = """
            if redis.call('get', KEYS[1]) == ARGV[1] then
                return redis.call('del', KEYS[1])
            end
            return 0""";

    private final UnifiedJedis redis;
    private final RedisInboxOptions options;
    private final UnmarkedEffects unmarked = new UnmarkedEffects();

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
        markUnmarked();
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
            // It may have been set although the answer was lost.
            giveBack(key, mark);
            throw failed("Redis could not be asked about event " + event.eventId(), e);
        }
    }

    private void markDone(String key, String mark, Incoming event) {
        unmarked.add(key, mark);
        try {
            tellDone(key, mark);
        } catch (JedisException e) {
            throw failed(
                    "Event " + event.eventId() + " was handled, but Redis could not be told: this process tells it"
                            + " before it handles another; in another process its effect happens again after "
                            + options.atWork().toSeconds() + " s",
                    e);
        }
    }

    /** Before anything else is handled: what comes again must be found done. That it fails is not the fault of what is next. */
    private void markUnmarked() {
        try {
            unmarked.forEach(this::tellDone);
        } catch (JedisException e) {
            throw new TransactionsAwayException(
                    "Redis could not be told what was handled before (" + e.getMessage() + ").", e);
        }
    }

    private void tellDone(String key, String mark) {
        redis.eval(
                MARK_DONE,
                List.of(key),
                List.of(mark, DONE, Long.toString(options.remember().toMillis())));
        unmarked.remove(key, mark);
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
