package dev.waybill.server.checkup;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.server.config.Installation;
import dev.waybill.spi.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dead letters of any broker, with an audit entry for every change. Brokers keep no audit, so the entry goes into the stores that
 * publish to this broker, and into a log. It is written first: if that fails, nothing is changed. If the change then fails, or
 * its outcome is unknown, a second entry records it.
 */
public final class AuditedBox implements DeadLetterBox {
    private static final Logger log = LoggerFactory.getLogger("dev.waybill.audit");

    private final DeadLetterBox box;
    private final List<StoreAdmin> stores;

    public AuditedBox(DeadLetterBox box, List<StoreAdmin> stores) {
        this.box = box;
        this.stores = List.copyOf(stores);
    }

    /** The dead letters of a destination. */
    public static AuditedBox of(Installation installation, String destination) {
        List<StoreAdmin> stores = installation.relays().stream()
                .filter(relay -> installation.destinationOf(relay).equals(destination))
                .map(installation::storeOf)
                .distinct()
                .map(installation::admin)
                .toList();
        return new AuditedBox(installation.deadLetters(destination), stores);
    }

    @Override
    public List<DeadLetterEntry> list(String topic, int atMost) {
        return box.list(topic, atMost);
    }

    @Override
    public List<DeadLetterEntry> choose(String topic, int atMost) {
        return box.choose(topic, atMost);
    }

    @Override
    public boolean takesToRead() {
        return box.takesToRead();
    }

    @Override
    public Set<String> topics() {
        return box.topics();
    }

    @Override
    public List<DeadLetterCount> count(Collection<String> topics, int atMost) {
        return box.count(topics, atMost);
    }

    @Override
    public Optional<DeadLetterEntry> find(String topic, String place) {
        return box.find(topic, place);
    }

    @Override
    public boolean sendBack(DeadLetterEntry letter, Actor by) {
        return audited("send-back", letter, by, () -> box.sendBack(letter, by));
    }

    @Override
    public boolean discard(DeadLetterEntry letter, Actor by) {
        return audited("discard-letter", letter, by, () -> box.discard(letter, by));
    }

    /** Records something about many letters. */
    public void note(String action, String details, Actor by) {
        stores.forEach(store -> store.note(action, details, by));
        log.info("audit: {} {} by {} ({})", action, details, Printable.of(by.who()), Printable.of(by.why()));
    }

    private boolean audited(String action, DeadLetterEntry letter, Actor by, BooleanSupplier act) {
        String failed = action + "-failed";
        announce(action, letter, by);
        boolean done;
        try {
            done = act.getAsBoolean();
        } catch (LetterStaysException e) {
            tell(failed, ": not done, the letter is kept", letter, by);
            throw e;
        } catch (RuntimeException | Error e) {
            try {
                tell(failed, ": failed, outcome unknown (" + e.getClass().getSimpleName() + ")", letter, by);
            } catch (RuntimeException unnoted) {
                e.addSuppressed(unnoted);
            }
            throw e;
        }
        if (!done) {
            tell(failed, ": not done, the letter no longer existed", letter, by);
        }
        return done;
    }

    /** If an entry cannot be written to one store, those written before get a second entry: nothing was done. */
    private void announce(String action, DeadLetterEntry letter, Actor by) {
        List<StoreAdmin> told = new ArrayList<>();
        try {
            for (StoreAdmin store : stores) {
                store.note(action, details("", letter), by);
                told.add(store);
            }
        } catch (RuntimeException e) {
            for (StoreAdmin store : told) {
                try {
                    store.note(action + "-failed", details(": not done, another audit failed", letter), by);
                } catch (RuntimeException unnoted) {
                    e.addSuppressed(unnoted);
                }
            }
            throw e;
        }
        log(action, details("", letter), letter, by);
    }

    private void tell(String action, String outcome, DeadLetterEntry letter, Actor by) {
        stores.forEach(store -> store.note(action, details(outcome, letter), by));
        log(action, details(outcome, letter), letter, by);
    }

    /** The id comes from the letter and may contain text that a database cannot store, such as an unpaired surrogate. */
    private static String details(String outcome, DeadLetterEntry letter) {
        return Printable.whole("dead letter " + letter.place() + " of " + letter.topic()
                + letter.eventId().map(id -> ", event " + id).orElse("") + outcome);
    }

    private static void log(String action, String details, DeadLetterEntry letter, Actor by) {
        log.atInfo()
                .addKeyValue("action", action)
                .addKeyValue("topic", Printable.of(letter.topic()))
                .addKeyValue("place", Printable.of(letter.place()))
                .addKeyValue("eventId", Printable.of(letter.eventId().orElse("")))
                .addKeyValue("who", Printable.of(by.who()))
                .addKeyValue("why", Printable.of(by.why()))
                .log("audit: {} {} by {} ({})", action, details, Printable.of(by.who()), Printable.of(by.why()));
    }
}
