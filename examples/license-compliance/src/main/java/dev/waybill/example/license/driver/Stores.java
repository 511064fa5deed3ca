package dev.waybill.example.license.driver;

import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.Requests;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/** Stores upload licenses, and reviewers decide about most of them. Each change is one event. */
final class Stores {
    private static final int MOST_PENDING = 10;

    private final Requests requests;
    private final Random random;
    private final Deque<Integer> pending = new ArrayDeque<>();
    private int licenses;
    private int changes;
    private int verified;
    private int rejected;

    Stores(ExampleRun run, int port) {
        requests = new Requests(run, port);
        random = run.random();
    }

    void changeOne() throws InterruptedException {
        if (pending.isEmpty() || (pending.size() < MOST_PENDING && random.nextBoolean())) {
            licenses++;
            pending.add(licenses);
            post(licenses, "pending", "");
        } else if (random.nextInt(3) == 0) {
            post(pending.remove(), "rejected", ", \"reason\": \"the scan is blurred\"");
            rejected++;
        } else {
            post(pending.remove(), "verified", "");
            verified++;
        }
        changes++;
    }

    private void post(int license, String status, String more) throws InterruptedException {
        requests.send(
                "POST",
                "/licenses",
                "{\"licenseId\": \"l-%d\", \"storeId\": %d, \"status\": \"%s\"%s}"
                        .formatted(license, 1 + license % 7, status, more),
                201,
                200);
    }

    int licenses() {
        return licenses;
    }

    int changes() {
        return changes;
    }

    int verified() {
        return verified;
    }

    int rejected() {
        return rejected;
    }
}
