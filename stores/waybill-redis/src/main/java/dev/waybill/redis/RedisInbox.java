package dev.waybill.redis;

import dev.waybill.Inbox;
import dev.waybill.InboxBusyException;
import dev.waybill.InboxException;
import dev.waybill.Incoming;
import dev.waybill.InvalidEventException;
import dev.waybill.NoTransaction;
import dev.waybill.spi.FailureKind;
import dev.waybill.spi.TransactionConflictException;
import dev.waybill.spi.TransactionsUnavailableException;
import java.util.List;
import java.util.UUID;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.SetParams;

/**
 * An inbox in Redis, for effects that are not in a database transaction. Safe for use by many threads.
 *
 * <p>A key is set to <em>processing</em> before the effect, for a short time, and to <em>done</em> after it, for a long time.
 * Only <em>done</em> makes an event a duplicate. While it is <em>processing</em> the event must not be acknowledged, so {@link
 * InboxBusyException} is thrown. If the effect fails, the key is removed, and the event can be handled again at once.
 *
 * <p>If the key cannot be set to <em>done</em>, this process remembers it and repeats that before it handles another event, so an
 * outage of Redis alone makes no effect happen twice. Keys expire, so nothing has to be purged.
 *
 * <p><b>What it cannot guarantee.</b> Effect and key are not atomic: if a consumer crashes between them, the key stays
 * <em>processing</em>, and after its expiry the effect happens again. The same applies to an effect that takes longer than that
 * time, and to keys that Redis loses in a failover or evicts. If an effect must never happen twice, keep it in a database
 * together with the inbox.
 */
public final class RedisInbox implements Inbox<NoTransaction> {
    private static final String DONE = "done";
    private static final String PROCESSING = "processing:";

    /** Changes the key only if it is absent or still owned by this consumer; another may have taken it over meanwhile. */
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
     * @param redis a pool, which the caller closes
     */
    public static RedisInbox on(UnifiedJedis redis) {
        return on(redis, RedisInboxOptions.defaults());
    }

    /**
     * @param redis a pool, which the caller closes
     */
    public static RedisInbox on(UnifiedJedis redis, RedisInboxOptions options) {
        return new RedisInbox(redis, options);
    }

    @Override
    public <E extends Exception> Outcome handleOnce(
            NoTransaction none, String consumer, Incoming event, Effect<NoTransaction, E> effect) throws E {
        if (event.version().isPresent()) {
            throw new InvalidEventException(
                    "An inbox in Redis stores no versions of entities: use an inbox in a database.");
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
     * @return false if the event was already handled
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
            throw new InboxBusyException("Another consumer is handling event " + event.eventId()
                    + ": do not acknowledge it; it is a duplicate only when that consumer has finished.");
        } catch (JedisException e) {
            // The key may have been set although the answer was lost.
            giveBack(key, mark);
            throw failed("The key of event " + event.eventId() + " could not be read from Redis", e);
        }
    }

    private void markDone(String key, String mark, Incoming event) {
        unmarked.add(key, mark);
        try {
            tellDone(key, mark);
        } catch (JedisException e) {
            throw failed(
                    "Event " + event.eventId()
                            + " was handled, but Redis could not record it: this process repeats that"
                            + " before it handles another event; in another process its effect can happen again after "
                            + options.atWork().toSeconds() + " s",
                    e);
        }
    }

    /** Before another event is handled, because a repeated event must be found done. A failure does not count for that event. */
    private void markUnmarked() {
        try {
            unmarked.forEach(this::tellDone);
        } catch (JedisException e) {
            throw new TransactionsUnavailableException(
                    "Redis could not record events that were handled before (" + e.getMessage() + ").", e);
        }
    }

    private void tellDone(String key, String mark) {
        redis.eval(
                MARK_DONE,
                List.of(key),
                List.of(mark, DONE, Long.toString(options.remember().toMillis())));
        unmarked.remove(key, mark);
    }

    /** If that fails too, the key expires. */
    private void giveBack(String key, String mark) {
        try {
            redis.eval(GIVE_BACK, List.of(key), List.of(mark));
        } catch (JedisException e) {
            // The caller must get the exception of the effect.
            return;
        }
    }

    private static RuntimeException failed(String what, JedisException e) {
        String message = what + " (" + e.getMessage() + ").";
        return switch (FailureKind.of(e)) {
            case UNAVAILABLE -> new TransactionsUnavailableException(message, e);
            case CONFLICT -> new TransactionConflictException(message, e);
            case FAILED -> new InboxException(message, e);
        };
    }
}
