package dev.waybill.bench.systems;

import org.jspecify.annotations.Nullable;

/** A system that cannot be measured, with the reason. The run goes on without it. */
final class SystemFailedException extends Exception {
    private static final long serialVersionUID = 1;

    SystemFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
