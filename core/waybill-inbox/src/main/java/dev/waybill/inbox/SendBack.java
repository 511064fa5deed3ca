package dev.waybill.inbox;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterEntry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends dead letters back to their topics, at a limited rate. */
public final class SendBack {
    private static final Logger log = LoggerFactory.getLogger(SendBack.class);

    private final DeadLetterBox box;
    private final int perSecond;
    private final LongSupplier nanoClock;
    private final LongPark park;

    /** Sleeps for some nanoseconds. */
    interface LongPark {
        void nanos(long time);
    }

    private SendBack(DeadLetterBox box, int perSecond, LongSupplier nanoClock, LongPark park) {
        if (perSecond < 1) {
            throw new IllegalArgumentException("perSecond is " + perSecond + ": use 1 or more.");
        }
        this.box = box;
        this.perSecond = perSecond;
        this.nanoClock = nanoClock;
        this.park = park;
    }

    public static SendBack of(DeadLetterBox box, int perSecond) {
        return new SendBack(box, perSecond, System::nanoTime, LockSupport::parkNanos);
    }

    static SendBack at(DeadLetterBox box, int perSecond, LongSupplier nanoClock, LongPark park) {
        return new SendBack(box, perSecond, nanoClock, park);
    }

    /**
     * Logs why letters were not sent back.
     *
     * @param letters from {@link DeadLetterBox#list}
     * @param goOn called before each letter; stops early if it returns false
     */
    public LetterCounts run(List<DeadLetterEntry> letters, Actor by, BooleanSupplier goOn) {
        return run(letters, by, goOn, (letter, why) -> log.warn("{}", why.getMessage()));
    }

    /**
     * A letter that cannot be sent back does not stop the others. Three consecutive failures of the broker do.
     *
     * @param failed called for each letter that could not be sent back, with the reason
     */
    public LetterCounts run(
            List<DeadLetterEntry> letters,
            Actor by,
            BooleanSupplier goOn,
            BiConsumer<DeadLetterEntry, RuntimeException> failed) {
        RateLimit limit = new RateLimit(goOn);
        return EachLetter.run(letters, letter -> box.sendBack(letter, by), limit::awaitNext, failed);
    }

    /** Spaces the letters so that the rate is kept. */
    private final class RateLimit {
        private final long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        private final BooleanSupplier goOn;
        private long next = nanoClock.getAsLong();

        private RateLimit(BooleanSupplier goOn) {
            this.goOn = goOn;
        }

        /** @return false if it should stop */
        private boolean awaitNext() {
            for (long left = next - nanoClock.getAsLong(); left > 0 && goOn.getAsBoolean(); ) {
                park.nanos(left);
                left = next - nanoClock.getAsLong();
            }
            next += interval;
            return goOn.getAsBoolean();
        }
    }
}
