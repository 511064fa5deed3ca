package dev.waybill.example.notifications.driver;

import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.Requests;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Books, orders and registers over HTTP, and keeps what must come of it. */
final class Clients {
    /** Subjects of a kind; subject n has n % 3 + 1 recipients. */
    static final int SUBJECTS = 12;

    private static final List<Business> ROUTED = List.of(
            new Business("reservations", "RESERVATION_REQUESTED", "restaurant"),
            new Business("orders", "ORDER_CREATED", "customer"),
            new Business("trips", "TRIP_BOOKED", "agency"),
            new Business("registrations", "USER_REGISTERED", "admin"));
    private static final Business NOT_ROUTED = new Business("deliveries", "DELIVERY_DELAYED", "courier");
    private static final int NOT_ROUTED_OF_100 = 3;
    private static final int REFUSED_OF_100 = 3;

    private final Requests requests;
    private final Random random;
    private final List<String> records = new ArrayList<>();
    private final List<String> messages = new ArrayList<>();
    private final Map<String, List<String>> notifications = new TreeMap<>();
    private int notRouted;
    private int refused;

    /** @param kind of users who hear of it */
    private record Business(String path, String eventType, String kind) {}

    /** Who hears of events of a subject, and how. */
    record Recipient(long user, String channel) {}

    Clients(ExampleRun run, int port) {
        requests = new Requests(run, port);
        random = run.random();
        ROUTED.forEach(business -> notifications.put(business.kind, new ArrayList<>()));
    }

    static List<Recipient> recipients(long subject) {
        return IntStream.rangeClosed(0, (int) (subject % 3))
                .mapToObj(n -> new Recipient(subject * 10 + n, n == 0 ? "EMAIL" : "PUSH"))
                .toList();
    }

    void sendOne() throws InterruptedException {
        if (random.nextInt(100) < REFUSED_OF_100) {
            // Nobody comes: the database refuses the record after its event was appended.
            post(ROUTED.get(0), "refused-" + refused, 1, 0, 422);
            refused++;
        }
        if (messages.isEmpty() || random.nextInt(100) < NOT_ROUTED_OF_100) {
            record(NOT_ROUTED, "delivery-" + notRouted, 1, 1);
            notRouted++;
        }
        Business business = ROUTED.get(random.nextInt(ROUTED.size()));
        String id = Integer.toString(messages.size());
        long subject = random.nextInt(SUBJECTS);
        int people = 1 + random.nextInt(8);
        record(business, id, subject, people);
        String event = "evt-" + id + " " + business.eventType;
        messages.add(event + " " + business.kind.toUpperCase(Locale.ROOT) + " " + subject + " " + people);
        List<String> expected = notifications.getOrDefault(business.kind, List.of());
        recipients(subject).forEach(recipient -> expected.add(event + " " + recipient.user + " " + recipient.channel));
    }

    private void record(Business business, String id, long subject, int people) throws InterruptedException {
        post(business, id, subject, people, 201, 200);
        records.add(id + " " + business.path.toUpperCase(Locale.ROOT) + " " + subject + " " + people);
    }

    private void post(Business business, String id, long subject, int people, int... expectedStatus)
            throws InterruptedException {
        requests.send(
                "POST",
                "/" + business.path,
                "{\"id\": \"%s\", \"subjectId\": %d, \"people\": %d}".formatted(id, subject, people),
                expectedStatus);
    }

    int sent() {
        return messages.size();
    }

    int notRouted() {
        return notRouted;
    }

    int refused() {
        return refused;
    }

    /** Id, kind of business, subject and people of each record. */
    List<String> records() {
        return records;
    }

    /** Event id, event type, aggregate type, aggregate id and people of each message. */
    List<String> messages() {
        return messages;
    }

    /** Event id, event type, user and channel of each notification, by kind of user. */
    Map<String, List<String>> notifications() {
        return notifications;
    }
}
