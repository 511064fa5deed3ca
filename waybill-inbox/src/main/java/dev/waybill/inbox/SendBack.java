package dev.waybill.inbox;

import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.spi.SourceException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends dead letters back to where they came from, no faster than a consumer that was just mended can bear. */
public final class SendBack {
    private static final Logger log = LoggerFactory.getLogger(SendBack.class);

    /** After so many failures one after the other the broker counts as away. */
    private static final int AWAY = 3;

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
     * @return how many were sent back; others were not there any more, could not be sent back, or it was stopped
     */
    public int run(List<DeadLetterEntry> letters, Actor by, BooleanSupplier goOn) {
        return run(letters, by, goOn, (letter, why) -> log.warn("{}", why.getMessage()));
    }

    /**
     * A letter that cannot be sent back does not stop the others. A broker that failed {@value #AWAY} times in a row does.
     *
     * @param failed hears of each letter that was not sent back, and why
     */
    public int run(
            List<DeadLetterEntry> letters,
            Actor by,
            BooleanSupplier goOn,
            BiConsumer<DeadLetterEntry, RuntimeException> failed) {
        long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
        long next = nanoClock.getAsLong();
        int sent = 0;
        int failuresInARow = 0;
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
                failuresInARow = 0;
            } catch (SourceException e) {
                failed.accept(letter, e);
                if (++failuresInARow == AWAY || Thread.currentThread().isInterrupted()) {
                    break;
                }
            } catch (LetterStaysException | IllegalArgumentException e) {
                failed.accept(letter, e);
                failuresInARow = 0;
            }
            next += interval;
        }
        return sent;
    }
}
