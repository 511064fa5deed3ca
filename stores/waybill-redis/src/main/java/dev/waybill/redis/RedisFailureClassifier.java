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

/** Classifies errors of Redis by their first word, and exceptions of Jedis. */
public final class RedisFailureClassifier implements FailureClassifier {
    private static final Set<String> UNAVAILABLE = Set.of(
            "READONLY", // a replica, as after a failover
            "LOADING", // loads its data after a start
            "MASTERDOWN", // a replica without its master
            "CLUSTERDOWN",
            "OOM", // no memory left, and nothing may be evicted
            "MISCONF", // cannot write its snapshot
            "NOREPLICAS",
            "BUSY", // a script runs too long
            "NOAUTH",
            "WRONGPASS",
            "NOPERM",
            "MOVED", // the slot is on another node
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
                || UNAVAILABLE.contains(word)
                || said.startsWith(TOO_MANY_CLIENTS);
        return away ? FailureKind.UNAVAILABLE : FailureKind.FAILED;
    }

    /** Before Redis 7, an error of a script starts with the script; the error of Redis follows {@code : -}. */
    private static String word(String said) {
        Matcher within = IN_SCRIPT.matcher(said);
        return within.find() ? within.group(1) : said.split("\\s", 2)[0];
    }

    private static boolean isPoolExhausted(JedisException e) {
        return e.getCause() instanceof NoSuchElementException;
    }
}
