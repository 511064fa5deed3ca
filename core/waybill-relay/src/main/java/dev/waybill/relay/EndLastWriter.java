package dev.waybill.relay;

import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.support.UserCode;
import dev.waybill.spi.transaction.AfterWindows;
import dev.waybill.spi.transaction.TransactionalDestination;
import dev.waybill.spi.transaction.WriterId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the last writer of a relay that delivered exactly once before and now delivers at least once: the transaction that a killed
 * process left open, and the writer of a suspended one.
 */
final class EndLastWriter {
    private static final Logger log = LoggerFactory.getLogger(EndLastWriter.class);

    private EndLastWriter() {}

    static void of(RelayPlan plan, AfterWindows session) {
        if (plan.destination() instanceof TransactionalDestination destination) {
            try {
                destination
                        .openWriter(WriterId.of(session.origin(), plan.name()))
                        .close();
            } catch (RuntimeException e) {
                log.warn(
                        "Relay {}: it delivered exactly once before, and the transaction that its last process may have left open"
                                + " cannot be aborted now ({}). Until it times out, consumers with read_committed may wait for"
                                + " it. The next session tries again.",
                        plan.name(),
                        e instanceof DestinationUnavailableException ? e.getMessage() : UserCode.describe(e));
                return;
            }
            log.info(
                    "Relay {}: it delivered exactly once before; what its last process left open is aborted.",
                    plan.name());
        }
        session.writerEnded();
    }
}
