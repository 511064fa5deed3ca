package dev.waybill.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With a stand-in for the switch of OpenTelemetry's API, which is not on the class path here. */
class UntracedTest {
    private static final List<String> HEARD = new ArrayList<>();

    /** Has the shape of OpenTelemetry's class. */
    public static final class Switch {
        private Switch() {}

        public static void suppressInstrumentation(Runnable work) {
            HEARD.add("off");
            try {
                work.run();
            } finally {
                HEARD.add("on");
            }
        }
    }

    @Test
    void work_runs_as_it_is_without_opentelemetry() {
        HEARD.clear();
        Untraced.run(() -> HEARD.add("work"));
        Untraced.task(() -> HEARD.add("task")).run();
        assertThat(Untraced.call(() -> "result")).isEqualTo("result");
        assertThat(HEARD).containsExactly("work", "task");
        assertThat(Untraced.find(List.of("io.opentelemetry.Nowhere"))).isNull();
    }

    @Test
    void the_first_switch_that_exists_is_used() {
        HEARD.clear();
        MethodHandle found = Untraced.find(List.of("io.opentelemetry.Nowhere", Switch.class.getName()));
        Untraced.run(found, () -> HEARD.add("work"));
        assertThat(HEARD).containsExactly("off", "work", "on");
    }

    @Test
    void what_the_work_throws_is_thrown() {
        MethodHandle found = Untraced.find(List.of(Switch.class.getName()));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> Untraced.run(found, () -> {
                    throw new IllegalStateException("planted");
                }))
                .withMessage("planted");
        assertThatExceptionOfType(StackOverflowError.class)
                .isThrownBy(() -> Untraced.run(found, () -> {
                    throw new StackOverflowError();
                }));
    }
}
