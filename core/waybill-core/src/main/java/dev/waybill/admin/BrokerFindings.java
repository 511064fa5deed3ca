package dev.waybill.admin;

import dev.waybill.spi.TlsFailure;

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

    /** Whether it says that the broker is unavailable, so that nothing else can be checked. */
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
