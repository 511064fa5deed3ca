package dev.waybill.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.waybill.admin.Finding;
import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.MariaDbServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.embedded.ServerCertificates;
import dev.waybill.server.config.Installation;
import dev.waybill.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * With the settings of the pages, a server is talked to when its certificate is good, and otherwise a person is told what is
 * wrong with it. The certificate is for 127.0.0.1, so localhost is a wrong name. RabbitMQ is tested in its own module.
 */
class TlsTest {
    private static final String EXPIRED = "the server's certificate has expired";
    private static final String WRONG_NAME = "the server's certificate is for another name than the one in the address";
    private static final String UNKNOWN_ISSUER =
            "the server's certificate comes from an issuer that is not trusted here";
    private static final String RELAY = "relays: { r: { store: s, destination: d } }\n";

    @TempDir
    private static Path directory;

    private static ServerCertificates certificates;

    @BeforeAll
    static void make() {
        certificates = ServerCertificates.in(directory);
    }

    /** Looks at one server with a host to connect to and the authority that is trusted. */
    private interface Look {
        List<Finding> at(String host, Path trusted) throws Exception;
    }

    /** @param swap makes the server show another certificate */
    private static void onlyAGoodCertificateWillDo(Look look, Swap swap) throws Exception {
        Path ca = certificates.certificate("ca");
        assertThat(problems(look.at("127.0.0.1", ca))).isEmpty();
        assertThat(problems(look.at("localhost", ca)))
                .singleElement()
                .asString()
                .contains(WRONG_NAME);
        assertThat(problems(look.at("127.0.0.1", certificates.certificate("other-ca"))))
                .singleElement()
                .asString()
                .contains(UNKNOWN_ISSUER);
        swap.to("expired");
        assertThat(problems(look.at("127.0.0.1", ca)))
                .singleElement()
                .asString()
                .contains(EXPIRED);
    }

    private interface Swap {
        void to(String certificate) throws Exception;
    }

    /** That the server could not be talked to. */
    private static List<Finding> problems(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> Set.of("connection", "broker").contains(finding.subject()))
                .filter(finding -> finding.severity() != Finding.Severity.FINE)
                .toList();
    }

    private static List<Finding> store(String store) throws IOException {
        String away = "destinations: { d: { type: rabbitmq, uri: \"amqp://127.0.0.1:1\" } }\n";
        try (Installation installation = read("stores: { s: { " + store + " } }\n" + away + RELAY)) {
            return installation.admin("s").examine();
        }
    }

    private static List<Finding> destination(String destination) throws IOException {
        String away = "stores: { s: { type: postgres-journal, url: \"jdbc:postgresql://127.0.0.1:1/x\" } }\n";
        try (Installation installation = read(away + "destinations: { d: { " + destination + " } }\n" + RELAY)) {
            return installation.checkup("d").examine(Set.of());
        }
    }

    private static Installation read(String yaml) throws IOException {
        return Installation.read(Files.writeString(directory.resolve("waybill.yaml"), yaml));
    }

    private static Path shown(String name) throws IOException {
        return Files.copy(
                certificates.certificate(name), directory.resolve("server.pem"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static void execute(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void postgresql() throws Exception {
        Map<String, String> settings = Map.of(
                "ssl", "on",
                "ssl_cert_file", shown("good").toString(),
                "ssl_key_file", certificates.key("good").toString());
        try (PostgresServer server = PostgresServer.start(settings)) {
            Look look = (host, trusted) -> store("type: postgres-journal, user: postgres, url: \"jdbc:postgresql://"
                    + host + ":" + server.port() + "/postgres?sslmode=verify-full&sslrootcert=" + trusted + "\"");
            assertThat(look.at("127.0.0.1", certificates.certificate("ca")))
                    .anyMatch(finding -> finding.what().contains("the server's certificate is checked"));
            onlyAGoodCertificateWillDo(look, name -> {
                shown(name);
                execute(server.dataSource("postgres"), "select pg_reload_conf()");
                Await.until(
                        "the server to have read " + name,
                        () -> !problems(look.at("127.0.0.1", certificates.certificate("ca")))
                                .isEmpty());
            });
        }
    }

    @Test
    void mariadb() throws Exception {
        assumeTrue(MariaDbServer.isInstalled(), "MariaDB is not installed: ./install-servers installs it as root");
        Map<String, String> settings = Map.of(
                "ssl_cert", shown("good").toString(),
                "ssl_key", certificates.key("good").toString());
        try (MariaDbServer server = MariaDbServer.start(settings)) {
            String database = server.createDatabase("tls");
            whereNoAuthorityIsNamedNobodyIsAdvisedToTrustAll(server, database);
            onlyAGoodCertificateWillDo(
                    (host, trusted) -> store("type: table, layout: polyshop, user: root, url: \"jdbc:mariadb://" + host
                            + ":" + server.port() + "/" + database + "?sslMode=verify-full&serverSslCert=" + trusted
                            + "\""),
                    name -> {
                        shown(name);
                        execute(server.dataSource(database), "flush ssl");
                    });
        }
    }

    private static void whereNoAuthorityIsNamedNobodyIsAdvisedToTrustAll(MariaDbServer server, String database)
            throws Exception {
        String url = "jdbc:mariadb://127.0.0.1:" + server.port() + "/" + database + "?sslMode=verify-full";
        assertThat(problems(store("type: table, layout: polyshop, user: root, url: \"" + url + "\"")))
                .singleElement()
                .asString()
                .contains(UNKNOWN_ISSUER, "Add the authority that issued it")
                .doesNotContain("sslMode=trust");
        for (String command : List.of("init", "status")) {
            Cli cli = new Cli();
            assertThat(cli.run(command, "--layout", "polyshop", "--url", url, "--user", "root"))
                    .isNotZero();
            assertThat(cli.err()).contains(UNKNOWN_ISSUER).doesNotContain("sslMode=trust");
        }
    }

    @Test
    void kafka_with_tls_and_with_a_login_over_it() throws Exception {
        String login = "org.apache.kafka.common.security.plain.PlainLoginModule required";
        Map<String, String> settings = new HashMap<>(Map.of(
                "listener.name.login.sasl.enabled.mechanisms",
                "PLAIN",
                "listener.name.login.plain.sasl.jaas.config",
                login + " username=\"broker\" password=\"none\" user_app=\"good-password\";"));
        for (String name : List.of("good", "expired", "login")) {
            String certificate = name.equals("expired") ? "expired" : "good";
            settings.put("listener.name." + name + ".ssl.keystore.type", "PEM");
            settings.put(
                    "listener.name." + name + ".ssl.keystore.location",
                    Files.writeString(
                                    directory.resolve(name + "-both.pem"),
                                    Files.readString(certificates.key(certificate))
                                            + Files.readString(certificates.certificate(certificate)))
                            .toString());
        }
        try (KafkaServer server =
                KafkaServer.start(settings, Map.of("GOOD", "SSL", "EXPIRED", "SSL", "LOGIN", "SASL_SSL"))) {
            String[] listener = {"GOOD"};
            onlyAGoodCertificateWillDo(
                    (host, trusted) -> destination("type: kafka, properties: { bootstrap.servers: \""
                            + server.bootstrapServers(listener[0]).replace("127.0.0.1", host)
                            + "\", security.protocol: SSL, ssl.truststore.type: PEM, ssl.truststore.location: \""
                            + trusted
                            + "\" }"),
                    name -> listener[0] = "EXPIRED");
            for (String password : List.of("good-password", "wrong-password")) {
                assertThat(problems(destination("type: kafka, properties: { bootstrap.servers: \""
                                + server.bootstrapServers("LOGIN")
                                + "\", security.protocol: SASL_SSL, sasl.mechanism: PLAIN, sasl.jaas.config: '" + login
                                + " username=\"app\" password=\"" + password
                                + "\";', ssl.truststore.type: PEM, ssl.truststore.location: \""
                                + certificates.certificate("ca") + "\" }")))
                        .as(password)
                        .hasSize(password.startsWith("good") ? 0 : 1)
                        .allMatch(finding -> finding.what().contains("correct the credentials"));
            }
        }
    }

    @Test
    void mongodb_on_a_stand_in() throws Exception {
        MongoServer good = stand("good");
        MongoServer expired = stand("expired");
        try {
            MongoServer[] server = {good};
            onlyAGoodCertificateWillDo(
                    (host, trusted) -> store("type: mongodb, database: shop, uri: \"mongodb://" + host + ":"
                            + server[0].getLocalAddress().getPort()
                            + "/?tls=true&serverSelectionTimeoutMS=1000\", tls: { trusted-certificates: \"" + trusted
                            + "\" }"),
                    name -> server[0] = expired);
        } finally {
            good.shutdownNow();
            expired.shutdownNow();
        }
    }

    private static MongoServer stand(String certificate) {
        MongoServer server = new MongoServer(new MemoryBackend());
        server.enableSsl(certificates.readKey(certificate), null, certificates.readCertificate(certificate));
        server.bind();
        return server;
    }
}
