package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginTest {
    @TempDir
    private static Path directory;

    private static ServedApi api;

    @BeforeAll
    static void start() throws Exception {
        api = ServedApi.start(
                directory,
                "trusted-proxy: { addresses: [127.0.0.2], user-header: X-User, role-header: X-Role }",
                ServedApi.AWAY);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    private static HttpResponse<String> login(String name, String password) throws Exception {
        return api.post(
                "/api/login", ServedApi.NOBODY, "{\"name\":\"" + name + "\",\"password\":\"" + password + "\"}");
    }

    private static HttpRequest.Builder with(String path, String cookie) {
        return api.request(path, ServedApi.NOBODY).header("Cookie", "other=1; " + cookie);
    }

    @Test
    void a_session_begins_with_the_password_and_ends_with_logout() throws Exception {
        HttpResponse<String> answer = login("ada", ServedApi.PASSWORD);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"operator\"").doesNotContain(ServedApi.PASSWORD);
        String header = answer.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(header).contains("; HttpOnly", "; SameSite=Strict", "; Path=/");
        String cookie = header.substring(0, header.indexOf(';'));

        assertThat(api.send(with("/api/overview", cookie)).statusCode()).isEqualTo(200);
        assertThat(api.send(with("/api/whoami", cookie)).body()).contains("\"ada\"");
        assertThat(api.send(ServedApi.json(with("/api/logout", cookie), "{}"))
                        .headers()
                        .firstValue("Set-Cookie"))
                .get()
                .asString()
                .contains("Max-Age=0");
        assertThat(api.send(with("/api/overview", cookie)).statusCode()).isEqualTo(401);
    }

    @Test
    void a_cookie_of_a_page_with_https_is_for_https_only() throws Exception {
        HttpRequest.Builder request = ServedApi.json(
                api.request("/api/login", ServedApi.NOBODY).header("Origin", "https://127.0.0.1:" + api.port()),
                "{\"name\":\"ada\",\"password\":\"" + ServedApi.PASSWORD + "\"}");
        assertThat(api.send(request).headers().firstValue("Set-Cookie").orElse(""))
                .contains("; Secure");
    }

    @Test
    void wrong_passwords_are_refused_and_then_throttled_for_that_name_only() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(login("mallory", "wrong").statusCode()).isEqualTo(401);
        }
        HttpResponse<String> throttled = login("mallory", "wrong");
        assertThat(throttled.statusCode()).isEqualTo(429);
        assertThat(throttled.headers().firstValue("Retry-After")).isPresent();
        assertThat(login("ada", ServedApi.PASSWORD).statusCode()).isEqualTo(200);
    }

    @Test
    void the_names_of_a_proxy_are_believed_only_from_its_address() throws Exception {
        assertThat(api.send(api.request("/api/overview", ServedApi.NOBODY)
                                .header("X-User", "ada")
                                .header("X-Role", "operator"))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void nobody_learns_more_than_how_to_sign_in() throws Exception {
        assertThat(api.read("/api/whoami", ServedApi.NOBODY).propertyNames())
                .containsExactlyInAnyOrder("authentication", "readOnly", "version");
    }
}
