package dev.waybill.walls;

import static dev.waybill.walls.Things.BROKERS;
import static dev.waybill.walls.Things.FRAMEWORKS;
import static dev.waybill.walls.Things.INPUT_AND_OUTPUT;
import static dev.waybill.walls.Things.JACKSON;
import static dev.waybill.walls.Things.JSON_SCHEMA;
import static dev.waybill.walls.Things.SQL;
import static dev.waybill.walls.Things.STATEMENTS;
import static dev.waybill.walls.Things.TELEMETRY;
import static dev.waybill.walls.Things.THREADS;
import static dev.waybill.walls.Things.exactly;
import static dev.waybill.walls.Things.packages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.waybill.walls.fixture.CallsTheDemo;
import dev.waybill.walls.fixture.ChecksASchema;
import dev.waybill.walls.fixture.ConnectsSomewhere;
import dev.waybill.walls.fixture.CountsWithMicrometer;
import dev.waybill.walls.fixture.KnowsADestination;
import dev.waybill.walls.fixture.KnowsAStore;
import dev.waybill.walls.fixture.KnowsATable;
import dev.waybill.walls.fixture.KnowsAnAdministrator;
import dev.waybill.walls.fixture.KnowsAnOutbox;
import dev.waybill.walls.fixture.KnowsTheEngine;
import dev.waybill.walls.fixture.KnowsTheKernel;
import dev.waybill.walls.fixture.ReadsJson;
import dev.waybill.walls.fixture.RunsStatements;
import dev.waybill.walls.fixture.SpeaksKafka;
import dev.waybill.walls.fixture.SpeaksPostgres;
import dev.waybill.walls.fixture.SpeaksSql;
import dev.waybill.walls.fixture.StartsAThread;
import dev.waybill.walls.fixture.UsesAFramework;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Checks the dependency rules between packages. Each rule is applied to the real code and to a fixture that violates it. */
class WallsTest {
    private static final List<String> CORE = List.of(
            "dev.waybill",
            "dev.waybill.spi",
            "dev.waybill.spi.support",
            "dev.waybill.admin",
            "dev.waybill.format",
            "dev.waybill.route",
            "dev.waybill.registry");
    private static final List<String> LIBRARIES = List.of(
            "dev.waybill",
            "dev.waybill.spi..",
            "dev.waybill.admin..",
            "dev.waybill.format..",
            "dev.waybill.route..",
            "dev.waybill.registry..",
            "dev.waybill.jsonschema..",
            "dev.waybill.telemetry..",
            "dev.waybill.jdbc..",
            "dev.waybill.postgres..",
            "dev.waybill.table..",
            "dev.waybill.kafka..",
            "dev.waybill.connect..",
            "dev.waybill.pubsub..",
            "dev.waybill.rabbitmq..",
            "dev.waybill.relay..",
            "dev.waybill.inbox..",
            "dev.waybill.redis..",
            "dev.waybill.mongodb..",
            "dev.waybill.tck..");

    private static final List<String> DESTINATIONS =
            List.of("dev.waybill.kafka..", "dev.waybill.pubsub..", "dev.waybill.rabbitmq..");

    private static final List<String> STORES =
            List.of("dev.waybill.jdbc..", "dev.waybill.postgres..", "dev.waybill.table..", "dev.waybill.mongodb..");

    static final List<Wall> WALLS = List.of(
            // They complete stages on the threads of others, or clear the interrupt flag of the thread that calls.
            new Wall("core has no threads", CORE, THREADS, StartsAThread.class)
                    .withDoors("InFlightBatch", "Sessions", "UserCode"),
            // It only names exceptions.
            new Wall("core does no I/O", CORE, INPUT_AND_OUTPUT, ConnectsSomewhere.class).withDoors("NetworkFailure"),
            new Wall("core knows no database", CORE, SQL, SpeaksSql.class),
            new Wall("core knows no broker", CORE, BROKERS, SpeaksKafka.class),
            new Wall(
                    "implementers do not meet administrators",
                    List.of("dev.waybill.spi.."),
                    packages("administration", "dev.waybill.admin"),
                    KnowsAnAdministrator.class),
            new Wall(
                    "JSON stays out of the seams",
                    List.of("dev.waybill.spi..", "dev.waybill.admin..", "dev.waybill.route.."),
                    JACKSON,
                    ReadsJson.class),
            new Wall(
                            "JSON is read and written in few places",
                            List.of(
                                    "dev.waybill",
                                    "dev.waybill.jdbc..",
                                    "dev.waybill.postgres..",
                                    "dev.waybill.table..",
                                    "dev.waybill.kafka..",
                                    "dev.waybill.connect..",
                                    "dev.waybill.pubsub..",
                                    "dev.waybill.rabbitmq..",
                                    "dev.waybill.relay..",
                                    "dev.waybill.inbox..",
                                    "dev.waybill.redis..",
                                    "dev.waybill.mongodb.."),
                            JACKSON,
                            ReadsJson.class)
                    .withDoors("JsonText", "JournalInsert"),
            new Wall(
                    "JSON Schema stays in the module for it",
                    Stream.concat(
                                    LIBRARIES.stream().filter(room -> !room.startsWith("dev.waybill.jsonschema")),
                                    Stream.of("dev.waybill.server.."))
                            .toList(),
                    JSON_SCHEMA,
                    ChecksASchema.class),
            new Wall("schemas know no database", List.of("dev.waybill.jsonschema.."), SQL, SpeaksSql.class),
            new Wall("schemas know no broker", List.of("dev.waybill.jsonschema.."), BROKERS, SpeaksKafka.class),
            // The validator has no time limit for patterns.
            new Wall("schemas have no threads", List.of("dev.waybill.jsonschema.."), THREADS, StartsAThread.class)
                    .withDoors("CheckTime"),
            new Wall(
                    "Micrometer and OpenTelemetry stay in the module for them",
                    LIBRARIES.stream()
                            .filter(room -> !room.startsWith("dev.waybill.telemetry"))
                            .toList(),
                    TELEMETRY,
                    CountsWithMicrometer.class),
            new Wall("telemetry knows no database", List.of("dev.waybill.telemetry.."), SQL, SpeaksSql.class),
            new Wall("telemetry knows no broker", List.of("dev.waybill.telemetry.."), BROKERS, SpeaksKafka.class),
            new Wall("contracts know no database", List.of("dev.waybill.tck.."), SQL, SpeaksSql.class),
            // A driver may wait forever for an unresponsive server: only another thread can give up.
            new Wall("stores have no threads", STORES, THREADS, StartsAThread.class)
                    .withDoors("Connecting", "LeaseRenewals"),
            new Wall("stores know no broker", STORES, BROKERS, SpeaksKafka.class),
            new Wall(
                    "the journal and the tables do not know each other: the journal's side",
                    List.of("dev.waybill.postgres.."),
                    packages("outbox tables", "dev.waybill.table"),
                    KnowsATable.class),
            new Wall(
                    "the journal and the tables do not know each other: the tables' side",
                    List.of("dev.waybill.table.."),
                    packages("the journal", "dev.waybill.postgres"),
                    KnowsAStore.class),
            new Wall(
                    "what stores share knows no store",
                    List.of("dev.waybill.jdbc.."),
                    packages("the journal and the tables", "dev.waybill.postgres", "dev.waybill.table"),
                    KnowsAStore.class),
            new Wall(
                    "the kernel knows nothing above it",
                    List.of("dev.waybill.jdbc.kernel.."),
                    exactly("outboxes, inboxes and layouts", "dev.waybill.jdbc", "dev.waybill.jdbc.layout"),
                    KnowsAnOutbox.class),
            new Wall(
                    "only stores know what stores share",
                    LIBRARIES.stream().filter(room -> !STORES.contains(room)).toList(),
                    packages("what stores share", "dev.waybill.jdbc.kernel"),
                    KnowsTheKernel.class),
            // It looks up the class by name first.
            new Wall(
                            "no driver is forced on anyone",
                            List.of("dev.waybill.jdbc..", "dev.waybill.table.."),
                            packages("drivers", "org.postgresql", "org.mariadb", "org.h2"),
                            SpeaksPostgres.class)
                    .withDoors("PostgresDriverCalls"),
            new Wall("MongoDB knows no SQL", List.of("dev.waybill.mongodb.."), SQL, SpeaksSql.class),
            new Wall(
                    "stores and destinations do not know the engine",
                    Stream.concat(DESTINATIONS.stream(), STORES.stream()).toList(),
                    packages("the engine", "dev.waybill.relay", "dev.waybill.inbox"),
                    KnowsTheEngine.class),
            new Wall(
                    "stores do not know destinations",
                    STORES,
                    packages("destinations", "dev.waybill.kafka", "dev.waybill.pubsub", "dev.waybill.rabbitmq"),
                    KnowsADestination.class),
            new Wall(
                    "destinations do not know stores",
                    DESTINATIONS,
                    packages(
                            "stores",
                            "dev.waybill.jdbc",
                            "dev.waybill.postgres",
                            "dev.waybill.table",
                            "dev.waybill.mongodb"),
                    KnowsAStore.class),
            new Wall("destinations know no database", DESTINATIONS, SQL, SpeaksSql.class),
            new Wall(
                    "RabbitMQ knows no other broker",
                    List.of("dev.waybill.rabbitmq.."),
                    packages("other brokers", "org.apache.kafka", "com.google"),
                    SpeaksKafka.class),
            new Wall(
                    "Pub/Sub knows no other broker",
                    List.of("dev.waybill.pubsub.."),
                    packages("other brokers", "org.apache.kafka", "com.rabbitmq"),
                    SpeaksKafka.class),
            new Wall("the engine knows no database", List.of("dev.waybill.relay.."), SQL, SpeaksSql.class),
            new Wall("the engine knows no broker", List.of("dev.waybill.relay.."), BROKERS, SpeaksKafka.class),
            new Wall("the consumer runtime knows no database", List.of("dev.waybill.inbox.."), SQL, SpeaksSql.class),
            new Wall(
                    "the consumer runtime knows no broker", List.of("dev.waybill.inbox.."), BROKERS, SpeaksKafka.class),
            new Wall("the inbox in Redis has no threads", List.of("dev.waybill.redis.."), THREADS, StartsAThread.class),
            new Wall("the inbox in Redis knows no broker", List.of("dev.waybill.redis.."), BROKERS, SpeaksKafka.class),
            new Wall("the inbox in Redis knows no SQL", List.of("dev.waybill.redis.."), SQL, SpeaksSql.class),
            new Wall("no library needs a framework", LIBRARIES, FRAMEWORKS, UsesAFramework.class),
            new Wall(
                    "the connector has no SQL of its own",
                    List.of("dev.waybill.connect.."),
                    STATEMENTS,
                    RunsStatements.class),
            new Wall(
                    "the connector leaves Kafka's clients to Connect",
                    List.of("dev.waybill.connect.."),
                    packages(
                            "other destinations and the process",
                            "dev.waybill.kafka",
                            "dev.waybill.pubsub",
                            "dev.waybill.rabbitmq",
                            "dev.waybill.server"),
                    KnowsADestination.class),
            new Wall(
                    "the process has no SQL of its own",
                    List.of("dev.waybill.server.."),
                    STATEMENTS,
                    RunsStatements.class),
            new Wall(
                    "nothing that ships depends on the embedded servers, the demo or the bench",
                    Stream.concat(LIBRARIES.stream(), Stream.of("dev.waybill.server.."))
                            .toList(),
                    packages("what is for trying out", "dev.waybill.embedded", "dev.waybill.demo", "dev.waybill.bench"),
                    CallsTheDemo.class));

    @ParameterizedTest
    @FieldSource("WALLS")
    void the_wall_stands(Wall wall) {
        wall.rule().check(House.CLASSES);
    }

    @ParameterizedTest
    @FieldSource("WALLS")
    void the_wall_stops_its_fixture(Wall wall) {
        JavaClasses fixture = new ClassFileImporter().importClasses(wall.fixture());
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> wall.around(wall.fixture().getPackageName()).check(fixture))
                .withMessageContaining(wall.fixture().getSimpleName());
    }

    @ParameterizedTest
    @FieldSource("WALLS")
    void every_door_is_used(Wall wall) {
        for (String door : wall.doors()) {
            assertThat(House.CLASSES)
                    .filteredOn(type -> type.getSimpleName().equals(door))
                    .isNotEmpty()
                    .allMatch(type -> type.getDirectDependenciesFromSelf().stream()
                            .anyMatch(used -> wall.forbidden().test(used.getTargetClass())));
        }
    }
}
