package dev.waybill.trials;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.MariaDbServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.embedded.RabbitServer;
import java.util.Map;

/**
 * PostgreSQL and Kafka for all trials; they end with the JVM. Kafka makes no topics by itself, can forbid some, and stamps
 * messages with its own clock.
 */
final class TrialServers {
    private static final PostgresServer POSTGRES = PostgresServer.start();
    private static final KafkaServer KAFKA = KafkaServer.start(Map.of(
            "auto.create.topics.enable", "false",
            "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users", "User:root",
            "allow.everyone.if.no.acl.found", "true",
            "log.message.timestamp.type", "LogAppendTime"));

    private TrialServers() {}

    static PostgresServer postgres() {
        return POSTGRES;
    }

    static KafkaServer kafka() {
        return KAFKA;
    }

    /** Started when it is first asked for. */
    static MariaDbServer mariaDb() {
        return MariaDb.SERVER;
    }

    private static final class MariaDb {
        static final MariaDbServer SERVER = MariaDbServer.start();
    }

    /** Started when it is first asked for. */
    static RabbitServer rabbit() {
        assumeTrue(RabbitServer.isInstalled(), "RabbitMQ is not installed: ./install-servers installs it as root");
        return Rabbit.SERVER;
    }

    private static final class Rabbit {
        static final RabbitServer SERVER = RabbitServer.start();
    }

    static void withoutKafka(Runnable meanwhile) {
        KAFKA.stopBroker();
        try {
            meanwhile.run();
        } finally {
            KAFKA.restartBroker();
        }
    }

    /** It ends as in a crash. */
    static void withoutPostgres(Runnable meanwhile) {
        POSTGRES.stopImmediately();
        try {
            meanwhile.run();
        } finally {
            POSTGRES.restart();
        }
    }
}
