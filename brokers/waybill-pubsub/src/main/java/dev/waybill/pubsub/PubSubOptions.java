package dev.waybill.pubsub;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How to reach Google Pub/Sub and how long to wait for it.
 *
 * @param project of topics that are named without a project
 * @param access endpoint and credentials
 * @param deliveryTimeout how long Pub/Sub may take to acknowledge, attempts of the client included, before it counts as
 *     unavailable as a whole
 * @param inFlight how much may be in flight
 */
public record PubSubOptions(String project, Access access, Duration deliveryTimeout, InFlight inFlight) {
    public static final String ENDPOINT = "pubsub.googleapis.com:443";
    public static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(30);
    public static final InFlight IN_FLIGHT = new InFlight(100, 64_000_000);
    private static final Duration SHORTEST_DELIVERY = Duration.ofSeconds(1);

    /** Endpoint and credentials. */
    public sealed interface Access {}

    /**
     * Google's emulator, or another server without TLS and credentials.
     *
     * @param address host and port
     */
    public record Emulator(String address) implements Access {}

    /**
     * Credentials of the environment: {@code GOOGLE_APPLICATION_CREDENTIALS}, {@code gcloud auth}, or the machine's account.
     *
     * @param endpoint host and port; one of a region keeps the order of a key when several regions publish
     */
    public record ApplicationDefault(String endpoint) implements Access {}

    /**
     * With the key file of a service account, or another file that Google's libraries read.
     *
     * @param endpoint host and port; one of a region keeps the order of a key when several regions publish
     */
    public record CredentialsFile(Path file, String endpoint) implements Access {}

    /**
     * How much may be in flight. Beyond this number of requests messages wait; beyond this number of bytes, waiting messages
     * included, {@code publish} blocks.
     */
    public record InFlight(int requests, long bytes) {}

    /**
     * @throws IllegalArgumentException when options are invalid; the message lists all of them
     */
    public PubSubOptions {
        List<String> problems = new ArrayList<>();
        if (project.isBlank() || project.contains("/") || !project.equals(project.strip())) {
            problems.add("project is \"" + project + "\": give the project's id, such as my-project-1");
        }
        if (!address(access).matches("\\S+:\\d{1,5}")) {
            problems.add("\"" + address(access) + "\" is not an address of Pub/Sub: give host:port");
        }
        if (deliveryTimeout.compareTo(SHORTEST_DELIVERY) < 0) {
            problems.add("deliveryTimeout is " + deliveryTimeout.toMillis() + " ms: use at least "
                    + SHORTEST_DELIVERY.toMillis() + " ms");
        }
        if (inFlight.requests() < 1 || inFlight.bytes() < 1) {
            problems.add("the limit in flight is " + inFlight.requests() + " requests and " + inFlight.bytes()
                    + " bytes: both must be at least 1");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "The Pub/Sub options have " + problems.size() + " problem(s):\n- " + String.join("\n- ", problems));
        }
    }

    /** Google's own Pub/Sub with the credentials of the environment. */
    public static PubSubOptions of(String project) {
        return new PubSubOptions(project, new ApplicationDefault(ENDPOINT), DELIVERY_TIMEOUT, IN_FLIGHT);
    }

    public PubSubOptions emulator(String address) {
        return access(new Emulator(address));
    }

    public PubSubOptions credentials(Path file) {
        return access(new CredentialsFile(file, ENDPOINT));
    }

    public PubSubOptions access(Access newAccess) {
        return new PubSubOptions(project, newAccess, deliveryTimeout, inFlight);
    }

    public PubSubOptions deliveryTimeout(Duration timeout) {
        return new PubSubOptions(project, access, timeout, inFlight);
    }

    public PubSubOptions inFlight(InFlight newInFlight) {
        return new PubSubOptions(project, access, deliveryTimeout, newInFlight);
    }

    String address() {
        return address(access);
    }

    private static String address(Access access) {
        if (access instanceof Emulator emulator) {
            return emulator.address();
        }
        if (access instanceof CredentialsFile file) {
            return file.endpoint();
        }
        return ((ApplicationDefault) access).endpoint();
    }
}
