package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only what is known to be dead letters is read: reading takes messages from their consumers. */
class LetterDoorsTest {
    private static final String SELECTION =
            "{\"action\":\"discard\",\"destination\":\"rabbit\",\"topic\":\"%s\",\"all\":true}";

    @TempDir
    private Path directory;

    @Test
    void a_queue_that_is_not_known_as_one_of_dead_letters_is_not_read_for_anyone() throws Exception {
        String rest = ServedApi.AWAY.replace("connect-timeout", "dead-letters: [given-up], connect-timeout");
        try (ServedApi api = ServedApi.start(directory, "", rest)) {
            for (String role : List.of(ServedApi.VIEWER, ServedApi.OPERATOR)) {
                HttpResponse<String> live = api.get("/api/dead-letters/rabbit/orders-billing", role);
                assertThat(live.statusCode()).as(live.body()).isEqualTo(403);
                assertThat(live.body()).contains("not-allowed", "dead-letters of the destination", ".dlt");
                for (String known : List.of("orders-billing.dlt", "given-up")) {
                    assertThat(api.get("/api/dead-letters/rabbit/" + known, role)
                                    .statusCode())
                            .as("the broker is asked, which is away")
                            .isEqualTo(503);
                }
            }
            String preview = "/api/dead-letters/preview";
            assertThat(api.post(preview, ServedApi.OPERATOR, SELECTION.formatted("orders-billing"))
                            .statusCode())
                    .isEqualTo(403);
            assertThat(api.post(preview, ServedApi.OPERATOR, SELECTION.formatted("given-up"))
                            .statusCode())
                    .isEqualTo(503);
        }
    }
}
