package dev.waybill.tck.source;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.Faults;
import dev.waybill.tck.faults.HostileException;
import dev.waybill.tck.faults.InjectedError;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A destination of dead letters that may fail in every way: it throws, never answers, accepts a letter and reports a
 * failure, or answers with each outcome other than Delivered.
 */
public final class FaultyLetters implements Destination {
    private final Destination real;
    private final Faults faults;

    public FaultyLetters(Destination real, Faults faults) {
        this.real = real;
        this.faults = faults;
    }

    @Override
    public Guarantees guarantees() {
        return real.guarantees();
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        Optional<Failure> failure = faults.next("publish of a letter");
        if (failure.isEmpty()) {
            return real.publish(batch, seen);
        }
        Failure how = failure.get();
        return switch (how) {
            case ERROR, ERROR_TWICE -> throw new InjectedError("publish");
            case ERROR_AFTER -> {
                real.publish(batch, seen);
                throw new InjectedError("publish");
            }
            case REPLY_LOST -> real.publish(batch, seen).thenApply(outcomes -> List.of(unavailable()));
            case DISCONNECTED -> CompletableFuture.failedStage(new HostileException());
            case HOSTILE_EXCEPTION -> throw new HostileException();
            case STATEMENT_TIMEOUT -> new CompletableFuture<>();
            case BEFORE, STALL -> CompletableFuture.completedStage(List.of(unavailable()));
            case LOCK_TIMEOUT -> CompletableFuture.completedStage(List.of(new Delivery.Retry("injected")));
            case SERIALIZATION_CONFLICT -> CompletableFuture.completedStage(List.of(Delivery.BEHIND));
            case DISK_FULL -> CompletableFuture.completedStage(List.of(new Delivery.Refused("injected")));
            case READ_ONLY -> CompletableFuture.completedStage(List.of(new Delivery.InDoubt("injected")));
        };
    }

    private static Delivery unavailable() {
        return new Delivery.Unavailable("injected");
    }

    @Override
    public void abort() {
        real.abort();
        if (faults.next("abort").filter(how -> how.name().startsWith("ERROR")).isPresent()) {
            throw new InjectedError("abort");
        }
    }

    @Override
    public void close() {
        real.close();
    }
}
