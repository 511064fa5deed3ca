package dev.waybill.server.live;

import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.StoreWatch;
import dev.waybill.spi.ProcessRegister.RelayReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The newest that is known of a store.
 *
 * @param configured relays that read it in this process' configuration
 * @param at when it was read; empty if it never was
 * @param reading what was read then
 * @param unavailable why it cannot be read, and since when; empty if it can
 * @param own for each relay that runs in this process
 * @param rates events per second by relay: since the sample before if this process publishes, else as the store knows it
 */
public record StoreSample(
        String store,
        Set<String> configured,
        Optional<Instant> at,
        StoreWatch.Reading reading,
        Optional<Unavailable> unavailable,
        Map<String, OwnRelays.Own> own,
        Map<String, Double> rates) {

    /** A store that cannot be read. What was read before may have changed. */
    public record Unavailable(String why, Instant since) {}

    static StoreSample unread(String store, Set<String> configured) {
        return new StoreSample(
                store, configured, Optional.empty(), StoreWatch.Reading.NOTHING, Optional.empty(), Map.of(), Map.of());
    }

    /**
     * The same values, which could not be read again.
     *
     * @param tried when the reading began that failed
     * @param here for each relay that runs in this process, as it is now
     */
    StoreSample failed(String why, Instant tried, Map<String, OwnRelays.Own> here) {
        Instant since = unavailable.map(Unavailable::since).orElse(tried);
        return new StoreSample(store, configured, at, reading, Optional.of(new Unavailable(why, since)), here, rates);
    }

    /** Whether what was read tells how the store is now. */
    public boolean isKnown() {
        return at.isPresent() && unavailable.isEmpty();
    }

    /** With the status of relays as it was just read. */
    public StoreSample with(List<RelayStatus> read, Instant now) {
        StoreWatch.Reading again = new StoreWatch.Reading(read, reading.reports());
        return new StoreSample(store, configured, Optional.of(now), again, Optional.empty(), own, rates);
    }

    public List<RelayStatus> relays() {
        return reading.relays();
    }

    /** What processes report of this relay. */
    public List<RelayReport> reports(String relay) {
        return reading.reports().stream()
                .filter(report -> report.relay().value().equals(relay))
                .toList();
    }

    /** Published per second, if known. */
    public OptionalDouble rate(String relay) {
        Double rate = rates.get(relay);
        return rate == null ? OptionalDouble.empty() : Point.known(rate);
    }

    public Optional<Duration> age(Instant now) {
        return at.map(time -> Duration.between(time, now)).map(age -> age.isNegative() ? Duration.ZERO : age);
    }
}
