package dev.waybill.trials;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.MariaDbServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.embedded.RabbitServer;
import java.util.Map;

/**
 * PostgreSQL and Kafka for all trials; they end with the JVM. Kafka does not create topics automatically, supports
 * access rules, and sets timestamps by its own clock.
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

    /** Started on first use. */
    static MariaDbServer mariaDb() {
        return MariaDb.SERVER;
    }

    private static final class MariaDb {
        static final MariaDbServer SERVER = MariaDbServer.start();
    }

    /** Started on first use. */
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

    /** Stops it as in a crash. */
    static void withoutPostgres(Runnable meanwhile) {
        POSTGRES.stopImmediately();
        try {
            meanwhile.run();
        } finally {
            POSTGRES.restart();
        }
    }
}
