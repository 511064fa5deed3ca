package dev.waybill.example.projections.driver;

import dev.waybill.example.kit.Example;
import java.util.Optional;

/** {@code ./waybill example mongodb-projections}. */
public final class MongodbProjectionsExample {
    private static final String URI = "WAYBILL_TEST_MONGODB_URI";

    private MongodbProjectionsExample() {}

    /** On the replica set that the environment names; without one, on a server in memory. */
    static Example example() {
        return new Example(
                "mongodb-projections",
                "A service changes users in MongoDB, with their events in one transaction; two workers publish the outbox to"
                        + " Kafka; a projection applies each version once and in order. " + URI
                        + " names a replica set; without it, a server in memory imitates one.",
                1_000,
                run -> new Day(run, Mongo.open(run, Optional.ofNullable(System.getenv(URI)))).play());
    }

    public static void main(String[] arguments) {
        System.exit(example().run(arguments).exitCode());
    }
}
