package dev.waybill.admin;

import dev.waybill.spi.TlsFailure;
import java.time.Duration;

/** Findings that the checkups of all brokers share. */
public final class BrokerFindings {
    private static final String BROKER = "broker";
    private static final String REMEDY = "Start it, or correct its address and credentials; relays keep retrying.";

    private BrokerFindings() {}

    /** @param error names the broker and says why it cannot be used */
    public static Finding unavailable(String error, Throwable cause) {
        return Finding.problem(
                BROKER, error, TlsFailure.of(cause).map(TlsFailure::remedy).orElse(REMEDY));
    }

    /**
     * A broker that did not answer in time. It may be down, or only slow.
     *
     * @param broker with its address
     */
    public static Finding silent(String broker, Duration waited) {
        return Finding.problem(
                BROKER,
                broker + " did not answer within " + waited.toSeconds() + " s",
                "Check again, since a busy machine answers late; if it stays so: start it, or correct its address and credentials;"
                        + " relays keep retrying.");
    }

    /** Whether it says that the broker is unavailable or silent, so that nothing else can be checked. */
    public static boolean isUnavailable(Finding finding) {
        return finding.subject().equals(BROKER) && finding.severity() == Finding.Severity.PROBLEM;
    }

    /**
     * @param local whether the connection stays on this machine
     * @param remedy how to use TLS
     */
    public static Finding encryption(boolean tls, boolean local, String remedy) {
        if (tls || local) {
            return Finding.fine("encryption", tls ? "TLS" : "none, and the connection does not leave the machine");
        }
        return Finding.warning("encryption", "messages cross the network without TLS", remedy);
    }
}
