package dev.waybill.spring.boot.run;

import java.util.List;

/** Relays or consumers cannot be set up as they are configured or written. The message lists all mistakes. */
public final class InvalidSetupException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidSetupException(List<String> mistakes) {
        super("Waybill cannot be set up, because of " + mistakes.size()
                + (mistakes.size() == 1 ? " error:" : " errors:") + "\n- " + String.join("\n- ", mistakes));
    }
}
