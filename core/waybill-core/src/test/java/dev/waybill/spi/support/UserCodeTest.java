package dev.waybill.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UserCodeTest {
    private final List<String> lines = new ArrayList<>();
    private final String code = "code";
    private long nanos = 17;
    private final UserCode guard = new UserCode(
            () -> nanos,
            (words, thrown) -> lines.add(words + (thrown == null ? "" : " <" + thrown.getMessage() + ">")));

    @AfterEach
    void end() {
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void whatever_a_call_throws_has_no_effect_and_names_the_class_of_the_code() {
        guard.run("listener", code, () -> {
            throw new AssertionError("planted");
        });
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0))
                .startsWith("the listener java.lang.String failed with java.lang.AssertionError at "
                        + getClass().getName())
                .endsWith("this has no other effect. <planted>");
    }

    @Test
    void code_that_fails_each_time_has_one_line_a_minute_with_their_number() {
        for (int second = 0; second < 120; second++) {
            guard.run("listener", code, () -> {
                throw new IllegalStateException("planted");
            });
            nanos += Duration.ofSeconds(1).toNanos();
        }
        guard.run("listener", new Object(), () -> {
            throw new IllegalStateException("other code has its own lines");
        });
        assertThat(lines).hasSize(3);
        assertThat(lines.get(1))
                .startsWith("59 more failures since the last line; the last: the listener java.lang.String");
        assertThat(lines.get(2)).contains("java.lang.Object");

        guard.tellRest();
        assertThat(lines).hasSize(4);
        assertThat(lines.get(3)).startsWith("60 more failures");
    }

    @Test
    void an_interrupt_that_code_leaves_behind_is_cleared_and_told_with_its_event() {
        Thread.currentThread().interrupt();
        guard.returned("format", code, "event-1\n2");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        guard.run("listener", this, () -> Thread.currentThread().interrupt());

        assertThat(lines)
                .containsExactly(
                        "the format java.lang.String left its thread interrupted after event event-1 2; the interrupt is cleared.",
                        "the listener " + getClass().getName()
                                + " left its thread interrupted; the interrupt is cleared.");
    }

    @Test
    void only_a_lack_of_memory_and_failures_of_the_jvm_concern_the_process() {
        assertThat(List.of(new OutOfMemoryError(), new InternalError(), new UnknownError()))
                .allMatch(UserCode::isOfProcess);
        assertThat(List.of(
                        new StackOverflowError(),
                        new NoClassDefFoundError(),
                        new AssertionError(),
                        new ExceptionInInitializerError(),
                        new IOException()))
                .noneMatch(UserCode::isOfProcess);
    }

    @Test
    void the_description_of_an_exception_has_no_message_and_never_throws() {
        assertThat(UserCode.describe(new CompletionException(new IOException("a name"))))
                .startsWith("java.io.IOException at " + getClass().getName())
                .doesNotContain("a name");
        assertThat(UserCode.describe(new Hostile())).isEqualTo(Hostile.class.getName());
    }

    @Test
    void an_exception_that_cannot_be_printed_is_told_without_its_text() {
        guard.run("listener", code, () -> {
            throw new Hostile();
        });
        assertThat(lines)
                .containsExactly("the listener java.lang.String failed with " + Hostile.class.getName()
                        + "; this has no other effect.");
    }

    /** Its own methods throw. */
    private static final class Hostile extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("planted");
        }

        @Override
        public String getMessage() {
            throw new IllegalStateException("planted");
        }
    }
}
