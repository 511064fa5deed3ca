package dev.waybill.example.kit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** HTTP requests of the users of a service: one without an answer, or with 503, is repeated until the service is back. */
public final class Requests {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int UNAVAILABLE = 503;

    private final HttpClient client = HttpClient.newHttpClient();
    private final ExampleRun run;
    private final String address;

    public Requests(ExampleRun run, int port) {
        this.run = run;
        this.address = "http://127.0.0.1:" + port;
    }

    /**
     * @param expected status codes
     * @throws IllegalStateException if the answer is another one
     */
    public void send(String method, String path, String body, int... expected) throws InterruptedException {
        int status = send(method, path, body);
        if (Arrays.stream(expected).noneMatch(code -> code == status)) {
            throw new IllegalStateException(method + " " + path + " was answered with " + status + ", not with "
                    + Arrays.toString(expected) + ".");
        }
    }

    private int send(String method, String path, String body) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .timeout(TIMEOUT)
                .build();
        while (true) {
            run.draw();
            try {
                int status = client.send(request, HttpResponse.BodyHandlers.discarding())
                        .statusCode();
                if (status != UNAVAILABLE) {
                    return status;
                }
            } catch (IOException e) {
                // Nobody listens, or the service was killed with this request.
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }
}
