package dev.waybill.spi.support;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Destination;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answers to one publish. A destination that breaks the contract of {@link Destination#publish} counts as unavailable, because
 * some of its messages may have been sent.
 *
 * @param deliveries one for each message, in order; never changed
 * @param isBroken whether the destination broke its contract; then all messages are {@link Delivery.Unavailable}, with the reason
 */
public record CheckedAnswers(List<Delivery> deliveries, boolean isBroken) {

    /**
     * Publishes, and passes on the answers once, whatever the destination does. Never throws.
     *
     * @param destination is named if it breaks its contract
     * @param publish the call
     * @param to is called on this thread or one of the destination's; must not throw
     */
    public static void of(
            Object destination,
            int messages,
            Supplier<CompletionStage<List<Delivery>>> publish,
            Consumer<CheckedAnswers> to) {
        AtomicBoolean answered = new AtomicBoolean();
        Consumer<CheckedAnswers> once = answers -> {
            if (answered.compareAndSet(false, true)) {
                to.accept(answers);
            }
        };
        Call call = new Call(destination, messages);
        try {
            @Nullable CompletionStage<List<Delivery>> stage = publish.get();
            if (stage == null) {
                once.accept(call.broken("returned no stage"));
            } else {
                stage.whenComplete((given, error) -> once.accept(call.check(given, error)));
            }
        } catch (Throwable e) {
            once.accept(call.failed(e));
        }
    }

    private record Call(Object destination, int messages) {
        CheckedAnswers check(@Nullable List<Delivery> given, @Nullable Throwable error) {
            if (error != null) {
                return failed(error);
            }
            if (given == null) {
                return broken("gave no answers");
            }
            try {
                // A copy, because the destination may change its list.
                return check(given.toArray(new Delivery[0]));
            } catch (Throwable e) {
                return failed(e);
            }
        }

        private CheckedAnswers check(@Nullable Delivery[] answers) {
            if (answers.length != messages) {
                return broken("gave " + answers.length + " answers to " + messages + " messages");
            }
            for (int i = 0; i < answers.length; i++) {
                Delivery answer = answers[i];
                if (answer == null) {
                    return broken("gave no answer to message " + (i + 1) + " of " + messages);
                }
                if (answer != Delivery.DELIVERED && hasNoReason(answer)) {
                    return broken("gave no reason for its answer to message " + (i + 1) + " of " + messages);
                }
            }
            return new CheckedAnswers(Collections.unmodifiableList(Arrays.asList(answers)), false);
        }

        /** Destinations need not be compiled with null checks. */
        @SuppressWarnings("ConstantValue")
        private static boolean hasNoReason(Delivery answer) {
            return answer.error() == null;
        }

        CheckedAnswers failed(Throwable error) {
            return broken("failed with " + UserCode.describe(error));
        }

        CheckedAnswers broken(String how) {
            String error = "the destination " + destination.getClass().getName() + " broke its contract: it " + how;
            return new CheckedAnswers(Collections.nCopies(messages, new Delivery.Unavailable(error)), true);
        }
    }
}
