package dev.waybill.spi;

import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Why a server's certificate is not accepted. */
public enum TlsFailure {
    EXPIRED(
            "the server's certificate has expired",
            "Renew it at the server, or set the clock of this host.",
            "CertificateExpiredException|NotAfter: "),
    NOT_YET_VALID(
            "the server's certificate is not valid yet",
            "Set the clock of this host, or give the server the certificate that is valid now.",
            "CertificateNotYetValidException|NotBefore: "),
    WRONG_NAME(
            "the server's certificate is for another name than the one we connect to",
            "Connect by a name that is in the certificate, or have it issued for this one.",
            // The JDK, PostgreSQL's driver, in whichever language, and MariaDB's.
            "No (?:subject alternative|name matching)|PgjdbcHostnameVerifier|doesn't correspond to certificate"),
    UNKNOWN_ISSUER(
            "the server's certificate comes from an issuer that is not trusted here",
            "Name the authority that issued it among those that are trusted, or have the server use a certificate of a trusted"
                    + " one.",
            // The JDK, and MariaDB's driver where it is told to check and not whom to trust.
            "unable to find valid certification path|does not chain with any of the trust anchors|No trusted certificate"
                    + "|Self signed certificates");

    /** As MariaDB's driver says: with that anybody may stand between us and the server. */
    private static final Pattern ADVICE_TO_TRUST_ALL = Pattern.compile("(?i)\\bset sslMode=trust\\b");

    private final String what;
    private final String remedy;
    private final Pattern words;

    TlsFailure(String what, String remedy, String words) {
        this.what = what;
        this.remedy = remedy;
        this.words = Pattern.compile(words);
    }

    /** Looks at everything that was thrown together. Some clients keep no cause and only quote it. */
    public static Optional<TlsFailure> of(Throwable thrown) {
        List<Throwable> all = ThrownTogether.with(thrown);
        for (TlsFailure failure : values()) {
            if (all.stream().anyMatch(failure::isToldBy)) {
                return Optional.of(failure);
            }
        }
        return Optional.empty();
    }

    private boolean isToldBy(Throwable one) {
        return (this == EXPIRED && one instanceof CertificateExpiredException)
                || (this == NOT_YET_VALID && one instanceof CertificateNotYetValidException)
                || (one.getMessage() != null
                        && (one.getMessage().contains(what)
                                || words.matcher(one.getMessage()).find()));
    }

    /** Whether something of it advises to trust every server. Such a text is not shown to people. */
    public static boolean advisesToTrustAll(Throwable thrown) {
        return ThrownTogether.with(thrown).stream()
                .anyMatch(one -> one.getMessage() != null
                        && ADVICE_TO_TRUST_ALL.matcher(one.getMessage()).find());
    }

    /** As part of a sentence. */
    public String what() {
        return what;
    }

    /** What to do, as a sentence. */
    public String remedy() {
        return remedy;
    }
}
