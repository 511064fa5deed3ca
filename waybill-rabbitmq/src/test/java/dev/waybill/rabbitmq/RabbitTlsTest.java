package dev.waybill.rabbitmq;

import static dev.waybill.rabbitmq.Letters.letter;
import static dev.waybill.rabbitmq.Letters.outcomes;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RabbitTlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private static Path directory;

    private static Broker broker;
    private static int tlsPort;

    /** A broker that only talks to clients with our certificate. */
    @BeforeAll
    static void start() throws Exception {
        makeCertificates();
        tlsPort = freePort();
        broker = Broker.start(Map.of(
                "listeners.ssl.1",
                "127.0.0.1:" + tlsPort,
                "ssl_options.certfile",
                file("server.pem").toString(),
                "ssl_options.keyfile",
                file("server.key").toString(),
                "ssl_options.cacertfile",
                file("ca.pem").toString(),
                "ssl_options.verify",
                "verify_peer",
                "ssl_options.fail_if_no_peer_cert",
                "true"));
    }

    @AfterAll
    static void stop() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    void both_sides_show_their_certificates_and_messages_go() throws Exception {
        RabbitOptions options = options("127.0.0.1")
                .withTls(RabbitTls.trusting(file("ca.pem")).withKeyStore(file("client.p12"), new String(PASSWORD)));
        assertThat(publish(options, broker.newTopic())).isEqualTo(DELIVERED);
    }

    @Test
    void a_broker_that_is_not_trusted_is_unavailable() throws Exception {
        assertThat(((Unavailable) publish(options("127.0.0.1"), "any")).error()).contains("whom to trust");
        RabbitOptions others = options("127.0.0.1").withTls(RabbitTls.trusting(file("other.pem")));
        assertThat(((Unavailable) publish(others, "any")).error()).contains("whom to trust");
    }

    @Test
    void a_certificate_for_another_name_is_not_enough() throws Exception {
        RabbitOptions options = options("localhost")
                .withTls(RabbitTls.trusting(file("ca.pem")).withKeyStore(file("client.p12"), new String(PASSWORD)));
        assertThat(((Unavailable) publish(options, "any")).error()).contains("localhost", "whom to trust");
    }

    @Test
    void a_key_store_that_cannot_be_opened_is_told_without_its_password() throws Exception {
        RabbitOptions options = options("127.0.0.1")
                .withTls(RabbitTls.trusting(file("ca.pem")).withKeyStore(file("client.p12"), "WRONG"));
        assertThat(((Unavailable) publish(options, "any")).error())
                .contains("password")
                .doesNotContain("WRONG");
    }

    private static RabbitOptions options(String host) {
        return RabbitOptions.of("amqps://" + host + ":" + tlsPort)
                .withCredentials("waybill", Broker.PASSWORD)
                .withExchange(Broker.EXCHANGE);
    }

    private static Delivery publish(RabbitOptions options, String topic) throws Exception {
        try (RabbitDestination destination = RabbitDestination.connect(options)) {
            return outcomes(destination.publish(List.of(letter(topic, "1")))).get(0);
        }
    }

    /** The JDK's own tool makes an authority, and two certificates of it; the broker wants them as PEM. */
    private static void makeCertificates() throws Exception {
        keytool("ca", "CN=authority", "-ext", "bc:c");
        keytool("server", "CN=127.0.0.1", "-ext", "SAN=ip:127.0.0.1", "-signer", "ca");
        keytool("client", "CN=client", "-signer", "ca");
        KeyStore all = KeyStore.getInstance("PKCS12");
        try (InputStream input = Files.newInputStream(file("all.p12"))) {
            all.load(input, PASSWORD);
        }
        writePem("ca.pem", "CERTIFICATE", all.getCertificate("ca").getEncoded());
        writePem("server.pem", "CERTIFICATE", all.getCertificate("server").getEncoded());
        writePem("server.key", "PRIVATE KEY", all.getKey("server", PASSWORD).getEncoded());
        KeyStore client = KeyStore.getInstance("PKCS12");
        client.load(null, null);
        client.setKeyEntry("client", all.getKey("client", PASSWORD), PASSWORD, all.getCertificateChain("client"));
        try (OutputStream output = Files.newOutputStream(file("client.p12"))) {
            client.store(output, PASSWORD);
        }
        keytool("other", "CN=other authority", "-ext", "bc:c");
        try (InputStream input = Files.newInputStream(file("all.p12"))) {
            all.load(input, PASSWORD);
        }
        writePem("other.pem", "CERTIFICATE", all.getCertificate("other").getEncoded());
    }

    private static void keytool(String alias, String subject, String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                subject,
                "-storetype",
                "PKCS12",
                "-keystore",
                file("all.p12").toString(),
                "-storepass",
                new String(PASSWORD),
                "-validity",
                "2"));
        words.addAll(List.of(more));
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(file("keytool.log").toFile())
                .start();
        assertThat(process.waitFor()).as(alias).isZero();
    }

    private static void writePem(String file, String what, byte[] bytes) throws IOException {
        String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(
                file(file),
                "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n",
                StandardCharsets.US_ASCII);
    }

    private static Path file(String name) {
        return directory.resolve(name);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
