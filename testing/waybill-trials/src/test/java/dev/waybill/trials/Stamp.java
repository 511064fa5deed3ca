package dev.waybill.trials;

import dev.waybill.RelayName;
import dev.waybill.format.Format;
import dev.waybill.format.Formatted;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.transaction.WindowSession;
import dev.waybill.spi.transaction.WindowStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Adds the epoch of the sender to every message. A relay opens its sessions and formats its events on one thread. */
final class Stamp {
    static final String EPOCH = "trial-epoch";

    private long epoch;

    WindowStore on(WindowStore store) {
        return new WindowStore() {
            @Override
            public boolean purge(Duration olderThan, int atMost) {
                return store.purge(olderThan, atMost);
            }

            @Override
            public Optional<RelaySession> open(RelayName relay, OwnerId owner, Duration lease) {
                Optional<RelaySession> session = store.open(relay, owner, lease);
                session.ifPresent(opened -> epoch = opened.epoch());
                return session;
            }

            @Override
            public Optional<ProcessRegister> processes() {
                return store.processes();
            }

            @Override
            public Optional<WindowSession> openWindows(RelayName relay, OwnerId owner, Duration lease) {
                Optional<WindowSession> session = store.openWindows(relay, owner, lease);
                session.ifPresent(opened -> epoch = opened.epoch());
                return session;
            }
        };
    }

    Format on(Format format) {
        return event -> {
            Formatted formatted = format.format(event);
            List<Header> headers = new ArrayList<>(formatted.headers());
            headers.add(new Header(EPOCH, Long.toString(epoch).getBytes(StandardCharsets.UTF_8)));
            return new Formatted(formatted.value(), headers);
        };
    }
}
