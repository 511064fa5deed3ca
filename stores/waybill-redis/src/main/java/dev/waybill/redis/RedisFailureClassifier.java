package dev.waybill.redis;

import dev.waybill.spi.FailureClassifier;
import dev.waybill.spi.FailureKind;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisBusyException;
import redis.clients.jedis.exceptions.JedisClusterException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/** Knows what Redis answers by the first word of its error, and what Jedis throws when there is no answer. */
public final class RedisFailureClassifier implements FailureClassifier {
    private static final Set<String> AWAY = Set.of(
            "READONLY", // a replica, as after a failover
            "LOADING", // reads its data set after a start
            "MASTERDOWN", // a replica without its master
            "CLUSTERDOWN",
            "OOM", // no memory left, and nothing may be evicted
            "MISCONF", // cannot write its snapshot
            "NOREPLICAS",
            "BUSY", // a script runs and runs
            "NOAUTH",
            "WRONGPASS",
            "NOPERM",
            "MOVED", // the slot is elsewhere
            "ASK");
    private static final Set<String> CONFLICTS = Set.of("TRYAGAIN", "EXECABORT");
    private static final Pattern IN_SCRIPT =
            Pattern.compile("^ERR Error running script.*: -([A-Z]+)\\b", Pattern.DOTALL);
    private static final String TOO_MANY_CLIENTS = "ERR max number of clients";

    @Override
    public FailureKind kindOf(Throwable thrown) {
        return thrown instanceof JedisException jedis ? kindOf(jedis) : FailureKind.FAILED;
    }

    private static FailureKind kindOf(JedisException e) {
        String said = e.getMessage() == null ? "" : e.getMessage();
        String word = word(said);
        if (CONFLICTS.contains(word)) {
            return FailureKind.CONFLICT;
        }
        boolean away = e instanceof JedisConnectionException
                || e instanceof JedisClusterOperationException
                || e instanceof JedisClusterException
                || e instanceof JedisBusyException
                || e instanceof JedisAccessControlException
                || e instanceof JedisRedirectionException
                || isPoolExhausted(e)
                || AWAY.contains(word)
                || said.startsWith(TOO_MANY_CLIENTS);
        return away ? FailureKind.AWAY : FailureKind.FAILED;
    }

    /** Before Redis 7 an error of a script begins with the script, and what Redis said stands behind {@code : -}. */
    private static String word(String said) {
        Matcher within = IN_SCRIPT.matcher(said);
        return within.find() ? within.group(1) : said.split("\\s", 2)[0];
    }

    private static boolean isPoolExhausted(JedisException e) {
        return e.getCause() instanceof NoSuchElementException;
    }
}
