package dev.waybill.inbox;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.MessageLeftOutException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends dead letters back to where they came from, no faster than a consumer that was just mended can bear. */
public final class SendBack {
    private static final Logger log = LoggerFactory.getLogger(SendBack.class);

    private final DeadLetterBox box;
    private final int perSecond;
    private final LongSupplier nanoClock;
    private final LongPark park;

    /** Lets some nanoseconds pass. */
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
     * @param letters one, some, or all that {@link DeadLetterBox#list} told of
     * @param goOn asked before each: stops early when it says no
     * @return how many were sent back; others were not there any more, their messages did not fit into them, or it was
     *     stopped
     */
    public int run(List<DeadLetterEntry> letters, Actor by, BooleanSupplier goOn) {
        return run(letters, by, goOn, cannot -> log.warn("{}", cannot.getMessage()));
    }

    /**
     * @param leftOut hears of letters that cannot be sent back because their messages did not fit into them; the others are
     */
    public int run(
            List<DeadLetterEntry> letters, Actor by, BooleanSupplier goOn, Consumer<MessageLeftOutException> leftOut) {
        long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        long next = nanoClock.getAsLong();
        int sent = 0;
        for (DeadLetterEntry letter : letters) {
            for (long left = next - nanoClock.getAsLong(); left > 0 && goOn.getAsBoolean(); ) {
                park.nanos(left);
                left = next - nanoClock.getAsLong();
            }
            if (!goOn.getAsBoolean()) {
                break;
            }
            try {
                sent += box.sendBack(letter, by) ? 1 : 0;
            } catch (MessageLeftOutException e) {
                leftOut.accept(e);
            }
            next += interval;
        }
        return sent;
    }
}
