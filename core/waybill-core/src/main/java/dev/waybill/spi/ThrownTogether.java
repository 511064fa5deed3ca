package dev.waybill.spi;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An exception with its causes, chained and suppressed exceptions, each once. */
final class ThrownTogether {
    /** A batch chains one error for each of its statements. */
    private static final int MOST = 1_000;

    private final List<Throwable> found = new ArrayList<>();
    private final Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private ThrownTogether() {}

    /** Causes and chained exceptions first, then suppressed ones. */
    static List<Throwable> with(Throwable thrown) {
        ThrownTogether all = new ThrownTogether();
        all.addCauses(thrown);
        for (int i = 0; i < all.found.size(); i++) {
            for (Throwable suppressed : all.found.get(i).getSuppressed()) {
                all.addCauses(suppressed);
            }
        }
        return all.found;
    }

    private void addCauses(Throwable thrown) {
        for (@Nullable Throwable one = thrown; one != null && isNew(one); one = one.getCause()) {
            found.add(one);
            addChained(one);
        }
    }

    /** A {@code SQLException} iterates over its chained exceptions. */
    private void addChained(Throwable thrown) {
        if (thrown instanceof Iterable<?> chain) {
            for (Object each : chain) {
                if (each instanceof Throwable one && isNew(one)) {
                    found.add(one);
                }
            }
        }
    }

    private boolean isNew(Throwable one) {
        return found.size() < MOST && seen.add(one);
    }
}
