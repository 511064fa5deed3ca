package dev.waybill.server.cli;

import dev.waybill.embedded.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An installation with a secret in every place that takes one. Only its PostgreSQL is there, and wants a password. */
final class PlantedSecrets implements AutoCloseable {
    private static final String JAAS = "org.apache.kafka.common.security.plain.PlainLoginModule required username=";

    private final Path directory;
    private final Canaries canaries;
    private final PostgresServer postgres;
    private final JournalScene journal;
    private final String ordersPassword;

    PlantedSecrets(Path directory, Canaries canaries) throws Exception {
        this.directory = directory;
        this.canaries = canaries;
        // The server may run as another user, who must be able to read it.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path rules =
                write("pg_hba.conf", "host all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n");
        postgres = PostgresServer.start(Map.of("hba_file", rules.toString()));
        journal = JournalScene.create(postgres);
        ordersPassword = canaries.plain("a variable for a password") + "/+=%&";
        journal.execute("create role app superuser login password '" + ordersPassword + "'");
        journal.append("order.placed", 3);
        write("legacy-password", canaries.awkward("a file for a password") + "\n");
        write("key.json", serviceAccount());
        write("broken.p12", "this is no key store");
    }

    Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/" + journal.database();
    }

    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("ORDERS_DB_PASSWORD", ordersPassword);
        environment.put("WAYBILL_DB_PASSWORD", canaries.awkward("the variable of commands"));
        environment.put("AWS_SESSION_TOKEN", canaries.plain("a variable for a token"));
        environment.put("REDIS_URL", "redis://:" + canaries.encoded("an address in a variable") + "@127.0.0.1:1");
        environment.put("WAYBILL_LOG_LEVEL", "trace");
        environment.put("WAYBILL_DRIVER_LOG_LEVEL", "trace");
        return environment;
    }

    /** A file without mistakes. */
    String configuration(int port) {
        return """
                server: { port: %d }
                stores:
                  orders: { type: postgres-journal, url: "%s", user: app, password: "${ORDERS_DB_PASSWORD}" }
                  misplaced: { type: postgres-journal, url: "%s", user: "${AWS_SESSION_TOKEN}", password: nothing-much }
                  legacy:
                    type: table
                    layout: polyshop
                    url: jdbc:mariadb://127.0.0.1:1/legacy?sslMode=verify-full&trustStorePassword=%s
                    user: app
                    password: ${file:legacy-password}
                  documents:
                    type: mongodb
                    database: shop
                    uri: "mongodb://app:%s@127.0.0.1:1/?serverSelectionTimeoutMS=300&connectTimeoutMS=300"
                  tokens:
                    type: mongodb
                    database: shop
                    uri: "mongodb://AKIAXX:%s@127.0.0.1:1/?serverSelectionTimeoutMS=300&connectTimeoutMS=300\
                &authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:%s"
                destinations:
                  kafka:
                    type: kafka
                    delivery-timeout: 1s
                    topic-timeout: 1s
                    properties:
                      bootstrap.servers: 127.0.0.1:1
                      security.protocol: SASL_PLAINTEXT
                      sasl.mechanism: PLAIN
                      default.api.timeout.ms: 1000
                      sasl.jaas.config: '%s"app" password="%s";'
                      vendor.setting: "${AWS_SESSION_TOKEN}"
                  kafka-login:
                    type: kafka
                    properties:
                      bootstrap.servers: 127.0.0.1:1
                      security.protocol: SASL_SSL
                      sasl.mechanism: PLAIN
                      default.api.timeout.ms: 1000
                      sasl.jaas.config: '%sapp password=%s %s;'
                  kafka-tls:
                    type: kafka
                    properties:
                      bootstrap.servers: 127.0.0.1:1
                      security.protocol: SSL
                      default.api.timeout.ms: 1000
                      ssl.keystore.type: PEM
                      ssl.keystore.key: "%s"
                      ssl.key.password: "%s"
                      ssl.keystore.certificate.chain: "nothing"
                  rabbit: { type: rabbitmq, uri: "amqp://app:%s@127.0.0.1:1" }
                  rabbit-tls:
                    type: rabbitmq
                    uri: amqps://127.0.0.1:1
                    user: app
                    password: '%s'
                    tls: { key-store: broken.p12, key-store-password: "%s" }
                  pubsub: { type: pubsub, project: demo, endpoint: "127.0.0.1:1", credentials: key.json, delivery-timeout: 1s }
                relays:
                  to-kafka: { store: orders, destination: kafka }
                  to-kafka-login: { store: orders, destination: kafka-login }
                  to-kafka-tls: { store: orders, destination: kafka-tls }
                  to-rabbit: { store: orders, destination: rabbit }
                  to-rabbit-tls: { store: orders, destination: rabbit-tls }
                  to-pubsub: { store: orders, destination: pubsub }
                  from-legacy: { store: legacy, destination: rabbit }
                  from-documents: { store: documents, destination: rabbit }
                  from-tokens: { store: tokens, destination: rabbit }
                  from-misplaced: { store: misplaced, destination: rabbit }
                """.formatted(
                        port,
                        url(),
                        url(),
                        canaries.plain("a parameter of a JDBC URL"),
                        canaries.encoded("the URI of MongoDB"),
                        canaries.encoded("the key of AWS in a URI"),
                        canaries.plain("the token of AWS in a URI"),
                        JAAS,
                        canaries.plain("a JAAS configuration"),
                        JAAS,
                        canaries.plain("the first part of a JAAS password"),
                        canaries.plain("the second part of a JAAS password"),
                        canaries.plain("a key in PEM"),
                        canaries.plain("the password of a key"),
                        canaries.encoded("the URI of AMQP"),
                        canaries.awkward("the password of RabbitMQ").replace("'", "''"),
                        canaries.plain("the password of a key store"));
    }

    /** Files with mistakes, each beside a secret. */
    List<String> badConfigurations() {
        return List.of(
                badUrl("jdbc:postgresql://app:" + canaries.plain("a JDBC URL of PostgreSQL") + "@127.0.0.1:1/orders"),
                badUrl("jdbc:mariadb://app:" + canaries.plain("a JDBC URL of MariaDB") + "@127.0.0.1:1/orders"),
                badUrl("jdbc:postgresql://app:" + canaries.plain("a JDBC URL with a slash") + "/x@127.0.0.1:1/orders"),
                badUrl("jdbc:postgresql://127.0.0.1:1/orders?password=" + canaries.plain("a parameter password")),
                "stores:\n  orders: { type: postgres-journal, url: x, password:" + canaries.plain("a missing space")
                        + " }\n",
                "stores:\n  orders:\n    password: *" + canaries.plain("what looks like an alias") + "\n",
                "stores:\n  orders:\n    password: [" + canaries.plain("an open bracket") + "\n",
                "stores:\n  orders:\n    password: \"" + canaries.plain("an open quote") + "\n",
                "stores:\n  orders:\n    password: @" + canaries.plain("an odd character") + "\n",
                "stores:\n  orders:\n    password: a: " + canaries.plain("two colons") + "\n",
                "relays:\n  one: { store: \"${AWS_SESSION_TOKEN}\", destination: \"${ORDERS_DB_PASSWORD}\","
                        + " batch: \"${AWS_SESSION_TOKEN}\", password: \"${file:legacy-password}\" }\n",
                "destinations:\n  rabbit: { type: rabbitmq, uri: \"amqp://app:"
                        + canaries.plain("a URI with a bad code")
                        + "%zz@h\" }\n  other: { type: rabbitmq, uri: \"http://app:"
                        + canaries.plain("a URI of the web")
                        + "@h\" }\n",
                "stores:\n  documents: { type: mongodb, database: d, uri: \"mongodb://app:"
                        + canaries.plain("a URI with two at signs") + "@x@h/?y=z\" }\n",
                "destinations:\n  kafka: { type: kafka, properties: { bootstrap.servers: \"h:1\", acks: \"1\","
                        + " ssl.key.password: [" + canaries.plain("a list for a password") + "] } }\n");
    }

    private static String badUrl(String url) {
        return "stores:\n  orders: { type: table, layout: polyshop, url: \"" + url + "\" }\n";
    }

    private String serviceAccount() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        byte[] key = generator.generateKeyPair().getPrivate().getEncoded();
        String lines =
                Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key).replace("\n", "\\n");
        canaries.note("the key of a service account", lines.substring(70, 110));
        return """
                {"type": "service_account", "project_id": "demo", "private_key_id": "%s",
                 "private_key": "-----BEGIN PRIVATE KEY-----\\n%s\\n-----END PRIVATE KEY-----\\n",
                 "client_email": "relay@demo", "client_id": "1", "token_uri": "http://127.0.0.1:1/token"}
                """.formatted(canaries.plain("the id of a key"), lines);
    }

    @Override
    public void close() {
        postgres.close();
    }
}
