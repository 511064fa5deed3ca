package dev.waybill;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WakeSignalTest {
    private final WakeSignal signal = WakeSignal.create();
    private final List<String> woken = new ArrayList<>();

    @Test
    void all_listeners_are_called_for_every_signal() {
        Runnable one = () -> woken.add("one");
        signal.raise();
        signal.add(one);
        signal.add(() -> woken.add("two"));
        signal.raise();
        signal.remove(one);
        signal.raise();

        assertThat(woken).containsExactly("one", "two", "two");
    }
}
