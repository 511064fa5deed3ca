package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.access.Role;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every route of the table as nobody, viewer and operator. */
class RolesTest {
    private static final Path DOCS = Path.of("..", "..", "docs");

    @TempDir
    private static Path directory;

    private static ServedApi api;

    @BeforeAll
    static void start() throws Exception {
        api = ServedApi.start(directory, "", ServedApi.AWAY);
    }

    @AfterAll
    static void stop() {
        api.close();
    }

    private static int status(ServedApi on, Route route, String token) throws Exception {
        HttpRequest.Builder request = on.request(route.path().replaceAll("\\{\\w+}", "none"), token);
        HttpRequest made = (route.isPost() ? ServedApi.json(request, "{}") : request).build();
        HttpResponse<InputStream> response = on.client().send(made, HttpResponse.BodyHandlers.ofInputStream());
        response.body().close(); // a stream has no end
        return response.statusCode();
    }

    @Test
    void every_route_admits_its_role_and_no_lesser_one() throws Exception {
        assertThat(api.table().routes())
                .hasSizeGreaterThan(25)
                .extracting(Route::role)
                .contains(Role.values());
        for (Route route : api.table().routes()) {
            String name = route.method() + " " + route.path();
            assertThat(status(api, route, ServedApi.NOBODY))
                    .as("%s as nobody", name)
                    .satisfies(code -> refused(code, route.role() == Role.ANYONE ? 0 : 401));
            assertThat(status(api, route, "a token that nobody has"))
                    .as("%s with a wrong token", name)
                    .satisfies(code -> refused(code, route.role() == Role.ANYONE ? 0 : 401));
            assertThat(status(api, route, ServedApi.VIEWER))
                    .as("%s as viewer", name)
                    .satisfies(code -> refused(code, route.role() == Role.OPERATOR ? 403 : 0));
            assertThat(status(api, route, ServedApi.OPERATOR))
                    .as("%s as operator", name)
                    .satisfies(code -> refused(code, 0));
        }
    }

    /** @param expected 0 if it must not be refused for its role */
    private static void refused(int code, int expected) {
        if (expected == 0) {
            assertThat(code).isNotIn(401, 403, 405, 500);
        } else {
            assertThat(code).isEqualTo(expected);
        }
    }

    @Test
    void only_posts_change_something_and_every_change_needs_an_operator() {
        assertThat(api.table().routes())
                .filteredOn(route -> route.role() == Role.OPERATOR)
                .isNotEmpty()
                .allMatch(Route::isPost);
        assertThat(api.table().routes())
                .filteredOn(route -> route.isPost() && route.role() != Role.OPERATOR)
                .extracting(Route::path)
                .containsExactlyInAnyOrder("/api/login", "/api/logout", "/api/checks/run", "/api/events/search");
    }

    @Test
    void a_read_only_server_refuses_every_change() throws Exception {
        try (ServedApi readOnly = ServedApi.start(directory, "read-only: true", ServedApi.AWAY)) {
            for (Route route : readOnly.table().routes()) {
                if (route.role() == Role.OPERATOR) {
                    assertThat(status(readOnly, route, ServedApi.OPERATOR))
                            .as(route.path())
                            .isEqualTo(403);
                }
            }
            assertThat(readOnly.read("/api/whoami", ServedApi.OPERATOR)
                            .get("readOnly")
                            .asBoolean())
                    .isTrue();
        }
    }

    @Test
    void unknown_routes_are_told_only_to_those_who_are_known() throws Exception {
        assertThat(api.get("/api/nothing", ServedApi.NOBODY).statusCode()).isEqualTo(401);
        assertThat(api.get("/api/nothing", ServedApi.VIEWER).statusCode()).isEqualTo(404);
        assertThat(api.get("/api/actions/start", ServedApi.VIEWER).statusCode()).isEqualTo(405);
    }

    /** With {@code -Dwaybill.docs.write=true} the description is written anew. */
    @Test
    void the_description_is_that_of_the_routes() throws Exception {
        String served = api.get("/api/openapi.json", ServedApi.VIEWER).body();
        Path file = DOCS.resolve("openapi.json");
        if (Boolean.getBoolean("waybill.docs.write")) {
            Files.writeString(file, served + "\n");
        }
        assertThat(Files.readString(file))
                .as("docs/openapi.json is stale: run this test with -Dwaybill.docs.write=true")
                .isEqualTo(served + "\n");
    }

    @Test
    void the_page_on_the_api_names_every_route_with_its_role() throws Exception {
        List<String> lines = Files.readAllLines(DOCS.resolve("admin-api.md"));
        for (Route route : api.table().routes()) {
            assertThat(lines)
                    .as("%s %s for %s in docs/admin-api.md", route.method(), route.path(), route.role())
                    .anyMatch(line -> line.matches("\\| `" + route.method() + " \\Q" + route.path() + "\\E[?`].*")
                            && line.contains("| " + route.role().word() + " |"));
        }
    }
}
