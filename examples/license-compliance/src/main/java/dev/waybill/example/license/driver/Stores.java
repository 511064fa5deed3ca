package dev.waybill.example.license.driver;

import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.Requests;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Stores upload licenses, and reviewers decide about most of them. Each change is one event. */
final class Stores {
    private static final int MOST_PENDING = 10;

    private final Requests requests;
    private final Random random;
    private final Deque<Integer> pending = new ArrayDeque<>();
    private final Map<Integer, String> licenses = new TreeMap<>();
    private final List<String> notices = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();

    Stores(ExampleRun run, int port) {
        requests = new Requests(run, port);
        random = run.random();
    }

    void changeOne() throws InterruptedException {
        if (pending.isEmpty() || (pending.size() < MOST_PENDING && random.nextBoolean())) {
            int license = licenses.size() + 1;
            pending.add(license);
            change(license, "pending", "admin", "");
        } else if (random.nextInt(3) == 0) {
            change(pending.remove(), "rejected", "store", "the scan of l-" + random.nextInt() + " is blurred");
        } else {
            change(pending.remove(), "verified", "store", "");
        }
    }

    private void change(int license, String status, String audience, String reason) throws InterruptedException {
        String id = "l-" + license;
        int store = 1 + license % 7;
        requests.send(
                "POST",
                "/licenses",
                "{\"licenseId\": \"%s\", \"storeId\": %d, \"status\": \"%s\"%s}"
                        .formatted(id, store, status, reason.isEmpty() ? "" : ", \"reason\": \"" + reason + "\""),
                201,
                200);
        licenses.put(license, id + " " + store + " " + status + " " + reason);
        changes.add(id + " " + status);
        notices.add("compliance " + audience + " " + store + " /licenses/" + id + " " + reason);
    }

    /** How many changes there were, and so events. */
    int count() {
        return changes.size();
    }

    /** Id, store, status and reason of each license. */
    List<String> licenses() {
        return List.copyOf(licenses.values());
    }

    /** Id and status of each change. */
    List<String> changes() {
        return changes;
    }

    /** Type, audience, store, link and reason of each notice. */
    List<String> notices() {
        return notices;
    }
}
