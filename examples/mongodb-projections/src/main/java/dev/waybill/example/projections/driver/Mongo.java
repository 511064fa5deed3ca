package dev.waybill.example.projections.driver;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.waybill.example.kit.ExampleRun;
import dev.waybill.standin.MongoStandIn;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** The MongoDB of a run. */
final class Mongo {
    /** MongoDB aborts the transaction of a killed client after a minute; here that would only delay the day. */
    private static final Duration TRANSACTION_LIFETIME = Duration.ofSeconds(5);

    private Mongo() {}

    /**
     * @param given the URI of a replica set
     * @return the URI of the one to use
     */
    static String open(ExampleRun run, Optional<String> given) {
        if (given.isPresent()) {
            return given.get();
        }
        run.say("WAYBILL_TEST_MONGODB_URI names no replica set, so this runs on a server in memory that imitates one");
        run.say(
                "its limits: it loses everything when it ends, has no failover, no journal on disk and no query planner, and takes"
                        + " longer for each change the more there are; what is proved here about Waybill is not proved about MongoDB");
        // It warns of every index that it only remembers, and of every client that was killed.
        ((Logger) LoggerFactory.getLogger("de.bwaldvogel.mongo")).setLevel(Level.OFF);
        return run.closing(MongoStandIn.start(TRANSACTION_LIFETIME)).uri();
    }
}
