package dev.waybill.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.pubsub.PubSubOptions.ApplicationDefault;
import dev.waybill.pubsub.PubSubOptions.CredentialsFile;
import dev.waybill.pubsub.PubSubOptions.InFlight;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.HeaderForm;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.tck.destination.Sender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PubSubOptionsTest {
    private static final String CANARY = "canary-4711";

    @Test
    void by_default_google_is_used_with_the_credentials_of_the_environment() {
        PubSubOptions options = PubSubOptions.of("my-project");
        assertThat(options.access()).isEqualTo(new ApplicationDefault("pubsub.googleapis.com:443"));
        assertThat(options.deliveryTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.inFlight()).isEqualTo(new InFlight(100, 64_000_000));
    }

    @Test
    void all_problems_are_listed_at_once() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PubSubOptions(
                        "projects/x",
                        new PubSubOptions.Emulator("localhost"),
                        Duration.ofMillis(1),
                        new InFlight(0, 1)))
                .withMessageContainingAll("4 problem(s)", "projects/x", "host:port", "1 ms", "0 requests");
    }

    @Test
    void it_keeps_a_prefix_of_each_key_and_carries_text_as_headers() {
        try (Sender destination = new Sender(PubSubDestination.of(PubSubOptions.of("my-project")))) {
            assertThat(destination.guarantees())
                    .isEqualTo(new Guarantees(KeyOrder.KEPT_IN_FLIGHT, 9_999_000, HeaderForm.TEXT));
        }
    }

    @Test
    void a_missing_credentials_file_is_reported_with_the_remedy(@TempDir Path directory) {
        assertThat(publishWith(directory.resolve("missing.json"))).contains("credentials file");
    }

    @Test
    void secrets_are_never_shown(@TempDir Path directory) throws IOException, GeneralSecurityException {
        Path broken = Files.writeString(directory.resolve("broken.json"), "{\"private_key\": \"" + CANARY);
        assertThat(publishWith(broken)).contains("credentials file").doesNotContain(CANARY);

        String key = Base64.getMimeEncoder()
                .encodeToString(KeyPairGenerator.getInstance("RSA")
                        .generateKeyPair()
                        .getPrivate()
                        .getEncoded());
        Path good = Files.writeString(directory.resolve("good.json"), serviceAccount(key));
        PubSubOptions options = PubSubOptions.of("my-project").credentials(good);
        assertThat(options.toString()).doesNotContain(CANARY);
        assertThat(publishWith(good)).contains("127.0.0.1:1").doesNotContain(CANARY, key.substring(0, 40));
    }

    /** To a port without a server. */
    private static String publishWith(Path credentials) {
        PubSubOptions options = PubSubOptions.of("my-project")
                .access(new CredentialsFile(credentials, "127.0.0.1:1"))
                .deliveryTimeout(Duration.ofSeconds(1));
        try (Sender destination = new Sender(PubSubDestination.of(options))) {
            List<Delivery> outcomes = Letters.publish(destination, "topic", "a1");
            assertThat(outcomes).hasOnlyElementsOfType(Unavailable.class);
            return ((Unavailable) outcomes.get(0)).error();
        }
    }

    private static String serviceAccount(String key) {
        return """
                {"type": "service_account", "project_id": "my-project", "private_key_id": "%s",
                 "private_key": "-----BEGIN PRIVATE KEY-----\\n%s\\n-----END PRIVATE KEY-----\\n",
                 "client_email": "relay@my-project.example", "client_id": "1", "token_uri": "http://127.0.0.1:1/token"}
                """.formatted(CANARY, key.replace("\r\n", "\\n"));
    }
}
