package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.http.HalfSent;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** People behind a proxy that this process trusts, over the socket. */
class NamesOfAProxyTest {
    @TempDir
    private static Path directory;

    private static ServedApi api;

    @BeforeAll
    static void start() throws Exception {
        api = ServedApi.start(
                directory,
                "trusted-proxy: { addresses: [127.0.0.1], user-header: X-User, role-header: X-Role }",
                ServedApi.AWAY);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    private static String whoami(String headers) throws Exception {
        try (HalfSent sent = new HalfSent(api.port())) {
            sent.send("GET /api/whoami HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n");
            return sent.answer(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Élodie", "Åsa", "Łukasz", "Doğan", "José", "Анна", "王小明", "Müller, Ğ."})
    void a_name_is_the_same_here_whatever_its_letters(String name) throws Exception {
        assertThat(whoami("X-User: " + name + "\r\n"))
                .startsWith("HTTP/1.1 200 ")
                .contains("\"name\":\"" + name + "\"");
    }

    @Test
    void letters_in_a_cookie_of_another_application_change_nothing() throws Exception {
        assertThat(whoami("X-User: ada\r\nCookie: city=Łódź; theme=dark\r\n"))
                .startsWith("HTTP/1.1 200 ")
                .contains("\"name\":\"ada\"");
    }

    @Test
    void a_name_with_control_characters_is_nobodys() throws Exception {
        for (String name : new String[] {"a\u0085da", "a\u009bda", "ada\u202e", "a\u200bda", "ada\u2028b"}) {
            assertThat(whoami("X-User: " + name + "\r\n"))
                    .startsWith("HTTP/1.1 200 ")
                    .doesNotContain("\"name\"");
        }
        for (String name : new String[] {"a\u0000da", "a\u001bda", "a\u007fda"}) {
            assertThat(whoami("X-User: " + name + "\r\n")).startsWith("HTTP/1.1 400 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u3000",
                "\u2003",
                "\u00a0",
                "ada\u00a0",
                "ada\ufe0f",
                "ada\u3164",
                "a\u2800da",
                "ada\udb40\udd00"
            })
    void a_name_that_looks_like_another_or_like_none_is_nobodys(String name) throws Exception {
        assertThat(whoami("X-User: " + name + "\r\n"))
                .startsWith("HTTP/1.1 200 ")
                .doesNotContain("\"name\"");
    }

    /** One of them may be the client's own. */
    @Test
    void two_names_or_two_roles_are_refused() throws Exception {
        assertThat(whoami("X-User: ada\r\nX-User: eve\r\n"))
                .startsWith("HTTP/1.1 400 ")
                .contains("x-user", "twice")
                .doesNotContain("ada", "eve");
        assertThat(whoami("X-User: ada\r\nX-Role: viewer\r\nX-ROLE: operator\r\n"))
                .startsWith("HTTP/1.1 400 ")
                .contains("x-role", "twice");
        assertThat(whoami("X-User: ada\r\nX-Other: 1\r\nX-Other: 2\r\nCookie: a=1\r\nCookie: b=2\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }
}
