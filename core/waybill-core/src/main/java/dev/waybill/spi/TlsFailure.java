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
            "the server's certificate is for another name than the one in the address",
            "Connect by a name that is in the certificate, or have it issued for this one.",
            // The JDK, PostgreSQL's driver in any language, and MariaDB's driver.
            "No (?:subject alternative|name matching)|PgjdbcHostnameVerifier|doesn't correspond to certificate"),
    UNKNOWN_ISSUER(
            "the server's certificate comes from an issuer that is not trusted here",
            "Add the authority that issued it to the trusted ones, or give the server a certificate of a trusted"
                    + " one.",
            // The JDK, and MariaDB's driver if it must verify but has no trusted certificates.
            "unable to find valid certification path|does not chain with any of the trust anchors|No trusted certificate"
                    + "|Self signed certificates");

    /** Advice of MariaDB's driver that would allow a man-in-the-middle attack. */
    private static final Pattern ADVICE_TO_TRUST_ALL = Pattern.compile("(?i)\\bset sslMode=trust\\b");

    private final String what;
    private final String remedy;
    private final Pattern words;

    TlsFailure(String what, String remedy, String words) {
        this.what = what;
        this.remedy = remedy;
        this.words = Pattern.compile(words);
    }

    /** Examines the exception and all related ones. Some clients do not keep the cause and only quote it. */
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

    /** Whether a message advises to trust every server. Such a message is not shown. */
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
