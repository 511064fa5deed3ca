package dev.waybill.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.server.access.QuickHash;
import dev.waybill.server.config.Installation;
import dev.waybill.testkit.Await;
import dev.waybill.testkit.Exposition;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What operators learn of somebody who guesses passwords. */
class FailedLoginsTest {
    private static final String FILE = """
            server:
              port: 0
              users: { vic: { password: "%s" } }
            stores:
              away: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/away" }
            destinations:
              away: { type: kafka, properties: { bootstrap.servers: "127.0.0.1:1" } }
            relays:
              one: { store: away, destination: away }
            """;
    private static final String TYPED = "hunter2\\nINFO forged";

    private final Logger audit = (Logger) LoggerFactory.getLogger("dev.waybill.audit");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    @BeforeEach
    void listen() {
        log.start();
        audit.addAppender(log);
    }

    @AfterEach
    void forget() {
        audit.detachAppender(log);
    }

    @Test
    void failed_logins_are_logged_with_their_number_and_counted_in_a_metric() throws Exception {
        Installation installation =
                Installation.read(Files.writeString(directory.resolve("waybill.yaml"), FILE.formatted(QuickHash.HASH)));
        try (RunningProcess process = RunningProcess.start(installation)) {
            assertThat(login(process, "vic", TYPED)).isEqualTo(401);
            assertThat(login(process, TYPED, QuickHash.PASSWORD)).isEqualTo(401);
            assertThat(client.send(
                                    request(process, "/api/overview")
                                            .header("Authorization", "Bearer hunter2")
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(401);
            assertThat(login(process, "vic", QuickHash.PASSWORD)).isEqualTo(200);
            assertThat(lines())
                    .containsExactly(
                            "audit: login failed for the user vic from 127.0.0.1: the password is wrong. 1 failed since the"
                                    + " process started, 1 of them since the last line.",
                            "audit: login failed for an unknown user from 127.0.0.1: there is no user of this name. 2 failed"
                                    + " since the process started, 1 of them since the last line.",
                            "audit: login failed for an unknown token from 127.0.0.1: no token of the configuration has its"
                                    + " hash. 3 failed since the process started, 1 of them since the last line.");
            for (int i = 0; i < 20; i++) {
                assertThat(login(process, "vic", "wrong")).isIn(401, 429);
            }
            Await.until("the metric has the same number", () -> failed(process) == 23);
            assertThat(lines()).as("a few lines in a minute").hasSize(5).noneMatch(line -> line.contains("hunter2"));
        }
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private double failed(RunningProcess process) throws Exception {
        return Exposition.parse(client.send(request(process, "/metrics").build(), HttpResponse.BodyHandlers.ofString())
                        .body())
                .value("waybill_logins_failed_total");
    }

    private int login(RunningProcess process, String name, String password) throws Exception {
        HttpRequest login = request(process, "/api/login")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"name\": \"" + name + "\", \"password\": \"" + password + "\"}"))
                .build();
        return client.send(login, HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    private static HttpRequest.Builder request(RunningProcess process, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + process.port() + path));
    }
}
