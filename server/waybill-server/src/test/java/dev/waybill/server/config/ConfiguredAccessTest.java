package dev.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.server.access.AccessRules;
import dev.waybill.server.access.QuickHash;
import dev.waybill.server.access.Role;
import dev.waybill.server.access.TokenHash;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfiguredAccessTest {
    private static final String REST = """

            stores:
              away: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/away" }
            destinations:
              kafka: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:1" } }
            relays:
              one: { store: away, destination: kafka }
            """;

    private static final String PASSWORD = QuickHash.HASH;
    private static final String TOKEN = TokenHash.make(TokenHash.newToken()).text();

    @TempDir
    private Path directory;

    private Installation read(String server) throws Exception {
        return Installation.read(Files.writeString(directory.resolve("waybill.yaml"), "server: " + server + REST));
    }

    private void refused(String server, String... words) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> read(server).close())
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "\"::\""})
    void another_address_than_the_local_one_needs_a_login(String address) {
        refused(
                "{ address: " + address + " }",
                "server.address",
                "without a login",
                "server.users",
                "server.console: false");
    }

    @Test
    void users_tokens_a_proxy_or_no_console_allow_another_address() throws Exception {
        for (String key : new String[] {
            "users: { ada: { password: \"" + PASSWORD + "\" } }",
            "tokens: { ci: { hash: \"" + TOKEN + "\" } }",
            "trusted-proxy: { addresses: [10.0.0.0/8], user-header: X-User }",
            "console: false"
        }) {
            try (Installation installation = read("{ address: 0.0.0.0, " + key + " }")) {
                assertThat(installation.serving().address().getPort()).isEqualTo(8085);
            }
        }
    }

    @Test
    void everything_is_read_and_hashes_are_never_shown() throws Exception {
        try (Installation installation = read("""

                  read-only: true
                  hosts: [Waybill.Example.org]
                  users: { ada: { password: "%s", role: operator }, bob: { password: "%s" } }
                  tokens: { ci: { hash: "%s" } }
                  trusted-proxy: { addresses: [10.0.0.7, "fd00::/8"], user-header: X-User, role-header: X-Role, role: operator }
                """.formatted(PASSWORD, PASSWORD, TOKEN))) {
            AccessRules access = installation.serving().access();
            assertThat(access.users().get("ada").role()).isEqualTo(Role.OPERATOR);
            assertThat(access.users().get("bob").role()).isEqualTo(Role.VIEWER);
            assertThat(access.users().get("ada").password().matches(QuickHash.PASSWORD))
                    .isTrue();
            assertThat(access.hosts()).containsExactly("waybill.example.org");
            assertThat(access.proxy().orElseThrow().addresses()).hasSize(2);
            assertThat(access.readOnly()).isTrue();
            assertThat(installation.text()).contains("ada").doesNotContain(PASSWORD, TOKEN);
            assertThat(access.toString()).doesNotContain(PASSWORD, TOKEN);
        }
    }

    @Test
    void mistakes_do_not_repeat_what_may_be_a_password() {
        refused("{ users: { ada: { password: swordfish } } }", "server.users.ada.password", "waybill password");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() ->
                        read("{ users: { ada: { password: swordfish } } }").close())
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("swordfish"));
        refused("{ tokens: { ci: { hash: abc } } }", "server.tokens.ci.hash", "--token");
        refused("{ users: { ada: { password: \"" + PASSWORD + "\", role: king } } }", "server.users.ada.role");
        refused("{ trusted-proxy: { addresses: [somewhere], user-header: X } }", "server.trusted-proxy", "10.0.0.0/8");
        refused(
                "{ users: { ada: { password: \"pbkdf2-sha512:1:" + PASSWORD.split(":", 3)[2] + "\" } } }",
                "iterations");
    }
}
