package dev.waybill.example.projections.driver;

import dev.waybill.example.kit.Example;

/** {@code ./waybill example mongodb-projections}. */
public final class MongodbProjectionsExample {
    private static final String URI = "WAYBILL_TEST_MONGODB_URI";

    private MongodbProjectionsExample() {}

    /** @param uri of a replica set */
    static Example on(String uri) {
        return new Example(
                "mongodb-projections",
                "A service changes users in MongoDB, with their events in one transaction; two workers publish the outbox to"
                        + " Kafka; a projection applies each version once and in order.",
                1_000,
                run -> new Day(run, uri).play());
    }

    public static void main(String[] arguments) {
        String uri = System.getenv(URI);
        if (uri == null) {
            System.err.println(
                    "waybill example: transactions of MongoDB need a replica set, and none is included. Set " + URI
                            + " to one, such as mongodb://localhost:27017/?replicaSet=rs0. Without one, MongodbProjectionsExampleTest plays"
                            + " this example on a server in memory, which only imitates transactions.");
            System.exit(2);
            return;
        }
        System.exit(on(uri).run(arguments).exitCode());
    }
}
