package dev.waybill.server.live;

import dev.waybill.admin.RelayStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The newest that is known of a store.
 *
 * @param configured relays that read it in this process' configuration
 * @param at when it was read; empty if it never was
 * @param relays as read then
 * @param error why it could not be read since then; empty if it could
 * @param own for each relay that runs in this process
 */
public record StoreSample(
        String store,
        Set<String> configured,
        Optional<Instant> at,
        List<RelayStatus> relays,
        Optional<String> error,
        Map<String, OwnRelays.Own> own) {

    public Optional<Duration> age(Instant now) {
        return at.map(time -> Duration.between(time, now)).map(age -> age.isNegative() ? Duration.ZERO : age);
    }
}
