package dev.waybill.example.notifications.driver;

import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.Requests;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Books, orders and registers over HTTP, and counts the notifications that this must lead to. */
final class Clients {
    /** Subjects of a kind; subject n has n % 3 + 1 recipients. */
    static final int SUBJECTS = 12;

    private static final List<String> ROUTED = List.of("reservations", "orders", "trips", "registrations");
    private static final List<String> KINDS = List.of("restaurant", "customer", "agency", "admin");
    private static final String NOT_ROUTED = "deliveries";
    private static final int NOT_ROUTED_OF_100 = 3;
    private static final int REFUSED_OF_100 = 3;

    private final Requests requests;
    private final Random random;
    private final Map<String, Long> expected = new TreeMap<>();
    private int sent;
    private int notRouted;
    private int refused;

    Clients(ExampleRun run, int port) {
        requests = new Requests(run, port);
        random = run.random();
        KINDS.forEach(kind -> expected.put(kind, 0L));
    }

    static int recipients(long subject) {
        return (int) (subject % 3) + 1;
    }

    void sendOne() throws InterruptedException {
        if (random.nextInt(100) < REFUSED_OF_100) {
            // Nobody comes: the database refuses the record after its event was appended.
            post(ROUTED.get(0), "refused-" + refused, 1, 0, 422);
            refused++;
        }
        if (sent == 0 || random.nextInt(100) < NOT_ROUTED_OF_100) {
            post(NOT_ROUTED, "delivery-" + notRouted, 1, 1, 201, 200);
            notRouted++;
        }
        int kind = random.nextInt(ROUTED.size());
        long subject = random.nextInt(SUBJECTS);
        post(ROUTED.get(kind), Integer.toString(sent), subject, 1 + random.nextInt(8), 201, 200);
        expected.merge(KINDS.get(kind), (long) recipients(subject), Long::sum);
        sent++;
    }

    private void post(String kind, String id, long subject, int people, int... expectedStatus)
            throws InterruptedException {
        requests.send(
                "POST",
                "/" + kind,
                "{\"id\": \"%s\", \"subjectId\": %d, \"people\": %d}".formatted(id, subject, people),
                expectedStatus);
    }

    int sent() {
        return sent;
    }

    int notRouted() {
        return notRouted;
    }

    int refused() {
        return refused;
    }

    /** Notifications by kind of user. */
    Map<String, Long> expected() {
        return expected;
    }
}
