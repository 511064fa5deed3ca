package dev.waybill.rabbitmq;

import static dev.waybill.rabbitmq.Letters.letter;
import static dev.waybill.rabbitmq.Letters.outcomes;
import static dev.waybill.spi.Delivery.DELIVERED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.embedded.FreePort;
import dev.waybill.embedded.ServerCertificates;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.TrustedCertificates;
import dev.waybill.tck.destination.Sender;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RabbitTlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private static Path directory;

    private static ServerCertificates certificates;
    private static Broker broker;
    private static int tlsPort;

    /** A broker that only talks to clients with our certificate. */
    @BeforeAll
    static void start() throws Exception {
        makeCertificates();
        tlsPort = FreePort.choose();
        broker = Broker.start(Map.of(
                "listeners.ssl.1",
                "127.0.0.1:" + tlsPort,
                "ssl_options.certfile",
                file("server.pem").toString(),
                "ssl_options.keyfile",
                certificates.key("good").toString(),
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
    void messages_are_sent_with_certificates_of_both_sides() throws Exception {
        assertThat(publish(trusting("127.0.0.1"), broker.newTopic())).isEqualTo(DELIVERED);
    }

    @Test
    void an_application_may_give_its_own_context() throws Exception {
        KeyStore client = KeyStore.getInstance(file("client.p12").toFile(), PASSWORD);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(client, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), TrustedCertificates.in(Files.readAllBytes(file("ca.pem"))), null);
        RabbitTls tls = RabbitTls.of(() -> context);
        assertThat(publish(options("127.0.0.1").tls(tls), broker.newTopic())).isEqualTo(DELIVERED);
    }

    @Test
    void a_broker_that_is_not_trusted_is_unavailable() throws Exception {
        String words = "the server's certificate comes from an issuer that is not trusted here";
        assertThat(refused(options("127.0.0.1"))).contains(words);
        assertThat(refused(options("127.0.0.1").tls(RabbitTls.trusting(file("other-ca.pem")))))
                .contains(words);
    }

    @Test
    void a_certificate_for_another_name_is_refused() throws Exception {
        assertThat(refused(trusting("localhost")))
                .contains("localhost", "the server's certificate is for another name than the one in the address");
    }

    @Test
    void an_expired_certificate_is_refused_until_it_is_renewed() throws Exception {
        broker.useCertificate(certificates.certificate("expired"), file("server.pem"));
        try {
            assertThat(refused(trusting("127.0.0.1"))).contains("the server's certificate has expired");
        } finally {
            broker.useCertificate(certificates.certificate("good"), file("server.pem"));
        }
        assertThat(publish(trusting("127.0.0.1"), broker.newTopic())).isEqualTo(DELIVERED);
    }

    @Test
    void a_key_store_that_cannot_be_opened_is_reported_without_its_password() throws Exception {
        RabbitOptions options =
                options("127.0.0.1").tls(RabbitTls.trusting(file("ca.pem")).withKeyStore(file("client.p12"), "WRONG"));
        assertThat(((Unavailable) publish(options, "any")).error())
                .contains("password")
                .doesNotContain("WRONG");
    }

    private static RabbitOptions trusting(String host) {
        return options(host)
                .tls(RabbitTls.trusting(file("ca.pem")).withKeyStore(file("client.p12"), new String(PASSWORD)));
    }

    private static String refused(RabbitOptions options) throws Exception {
        return ((Unavailable) publish(options, "any")).error();
    }

    private static RabbitOptions options(String host) {
        return RabbitOptions.of("amqps://" + host + ":" + tlsPort)
                .credentials("waybill", Broker.PASSWORD)
                .exchange(Broker.EXCHANGE);
    }

    private static Delivery publish(RabbitOptions options, String topic) throws Exception {
        try (Sender destination = new Sender(RabbitDestination.of(options))) {
            return outcomes(destination.publish(List.of(letter(topic, "1")))).get(0);
        }
    }

    private static void makeCertificates() throws Exception {
        certificates = ServerCertificates.in(directory);
        Files.copy(certificates.certificate("good"), file("server.pem"));
        KeyStore client = KeyStore.getInstance("PKCS12");
        client.load(null, null);
        Certificate[] chain = {certificates.readCertificate("client")};
        client.setKeyEntry("client", certificates.readKey("client"), PASSWORD, chain);
        try (OutputStream output = Files.newOutputStream(file("client.p12"))) {
            client.store(output, PASSWORD);
        }
    }

    private static Path file(String name) {
        return directory.resolve(name);
    }
}
