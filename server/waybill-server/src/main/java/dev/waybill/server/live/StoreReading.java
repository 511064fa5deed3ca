package dev.waybill.server.live;

import dev.waybill.admin.RelayStatus;
import dev.waybill.server.config.Installation;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.ProcessRegister.RelayReport;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a store tells at one time.
 *
 * @param reports what processes that share its relays report of them; none if the store has no register of processes
 */
public record StoreReading(List<RelayStatus> relays, List<RelayReport> reports) {
    private static final Logger log = LoggerFactory.getLogger(StoreReading.class);

    static final StoreReading NOTHING = new StoreReading(List.of(), List.of());

    static StoreReading of(Installation installation, String store) {
        List<RelayStatus> relays = installation.admin(store).relays();
        return new StoreReading(
                relays,
                installation.store(store).processes().map(StoreReading::reports).orElse(List.of()));
    }

    /** Who may not read the register, or finds something there that is no report, sees everything else. */
    private static List<RelayReport> reports(ProcessRegister register) {
        try {
            return register.reports();
        } catch (RuntimeException e) {
            log.debug("What processes report could not be read.", e);
            return List.of();
        }
    }
}
