package dev.waybill.server.secrets;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import dev.waybill.spi.transaction.TransactionalDestination;
import dev.waybill.spi.transaction.TransactionalWriter;
import dev.waybill.spi.transaction.WindowPosition;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** Hides secrets in the errors of a destination that has transactions. */
record ScrubbedTransactions(TransactionalDestination real, ScrubbedDestination scrubbed)
        implements TransactionalDestination {
    @Override
    public Guarantees guarantees() {
        return scrubbed.guarantees();
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        return scrubbed.publish(batch, seen);
    }

    @Override
    public void abort() {
        scrubbed.abort();
    }

    @Override
    public void close() {
        scrubbed.close();
    }

    @Override
    public TransactionalWriter openWriter(String id) {
        return new Writer(call(() -> real.openWriter(id)));
    }

    private <R> R call(Supplier<R> call) {
        try {
            return call.get();
        } catch (DestinationUnavailableException e) {
            // Without the cause, whose message may contain a secret.
            throw new DestinationUnavailableException(scrubbed.secrets().hide(String.valueOf(e.getMessage())));
        }
    }

    private final class Writer implements TransactionalWriter {
        private final TransactionalWriter real;

        Writer(TransactionalWriter real) {
            this.real = real;
        }

        @Override
        public Optional<String> committed() {
            return real.committed();
        }

        @Override
        public CompletionStage<List<Delivery>> publish(
                List<OutboundMessage> batch, IntFunction<WindowPosition> behind) {
            return real.publish(batch, behind).thenApply(scrubbed::scrubbed);
        }

        @Override
        public void commit(String position) {
            call(() -> {
                real.commit(position);
                return position;
            });
        }

        @Override
        public void abort() {
            call(() -> {
                real.abort();
                return real;
            });
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
