package dev.waybill.server.access;

import java.time.Duration;
import java.util.Optional;

/** A request is refused. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String status;
    private final String code;
    private final int retrySeconds;

    /**
     * @param status code and phrase of HTTP
     * @param code a word for programs
     * @param message what is wrong and what to do
     */
    public RefusedException(String status, String code, String message) {
        this(status, code, message, 0);
    }

    private RefusedException(String status, String code, String message, int retrySeconds) {
        super(message);
        this.status = status;
        this.code = code;
        this.retrySeconds = retrySeconds;
    }

    static RefusedException tooMany(String message, Duration wait) {
        return new RefusedException(
                "429 Too Many Requests", "too-many", message, (int) Math.max(1, wait.toSeconds() + 1));
    }

    public String status() {
        return status;
    }

    public String code() {
        return code;
    }

    /** The words for the client. */
    public String words() {
        return String.valueOf(getMessage());
    }

    /** When it may be tried again. */
    public Optional<Integer> retrySeconds() {
        return retrySeconds == 0 ? Optional.empty() : Optional.of(retrySeconds);
    }
}
