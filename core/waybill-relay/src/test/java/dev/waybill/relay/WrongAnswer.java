package dev.waybill.relay;

import dev.waybill.spi.Delivery;
import java.io.IOException;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** How a destination can break the contract of {@link dev.waybill.spi.Destination#publish}. The messages were not sent. */
enum WrongAnswer {
    NULL_STAGE("returned no stage") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            return null;
        }
    },
    STAGE_THAT_THROWS("java.lang.UnsupportedOperationException") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            return new CompletableFuture<>() {
                @Override
                public CompletableFuture<List<Delivery>> whenComplete(
                        BiConsumer<? super List<Delivery>, ? super Throwable> action) {
                    throw new UnsupportedOperationException("planted");
                }
            };
        }
    },
    NULL_LIST("gave no answers") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            return CompletableFuture.completedFuture(null);
        }
    },
    NULL_INSTEAD_OF_AN_ANSWER("no answer to message 1 of 3") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            return CompletableFuture.completedFuture(Collections.nCopies(messages, null));
        }
    },
    ANSWER_WITHOUT_REASON("no reason for its answer to message 1 of 3") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            return CompletableFuture.completedFuture(Collections.nCopies(messages, new Delivery.Retry(null)));
        }
    },
    NO_ANSWERS("0 answers to 3 messages") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            return CompletableFuture.completedFuture(List.of());
        }
    },
    TOO_FEW("2 answers to 3 messages") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            return CompletableFuture.completedFuture(Collections.nCopies(messages - 1, Delivery.DELIVERED));
        }
    },
    TOO_MANY("4 answers to 3 messages") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            return CompletableFuture.completedFuture(Collections.nCopies(messages + 1, Delivery.DELIVERED));
        }
    },
    LIST_THAT_THROWS("java.lang.IllegalStateException") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            return CompletableFuture.completedFuture(new AbstractList<>() {
                @Override
                public Delivery get(int index) {
                    throw new IllegalStateException("planted");
                }

                @Override
                public int size() {
                    return messages;
                }
            });
        }
    },
    FAILED_STAGE("java.lang.IllegalStateException") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            return CompletableFuture.failedFuture(new IllegalStateException("planted"));
        }
    },
    STAGE_FAILED_WITH_AN_ERROR("java.lang.NoClassDefFoundError") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            return CompletableFuture.failedFuture(new NoClassDefFoundError("planted"));
        }
    },
    EXCEPTION("java.lang.IllegalStateException") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            throw new IllegalStateException("planted");
        }
    },
    CHECKED_EXCEPTION("java.io.IOException") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            Undeclared.raise(new IOException("planted"));
            throw new AssertionError("not reached");
        }
    },
    ERROR("java.lang.NoClassDefFoundError") {
        @Override
        CompletionStage<List<Delivery>> to(int messages) {
            throw new NoClassDefFoundError("planted");
        }
    };

    private final String reason;

    WrongAnswer(String reason) {
        this.reason = reason;
    }

    /** What the relay says about it. */
    String reason() {
        return reason;
    }

    abstract CompletionStage<List<Delivery>> to(int messages);

    /** An answer that is right when it is given, and changes afterwards. */
    static CompletionStage<List<Delivery>> thatChanges(int messages) {
        List<Delivery> answers = new ArrayList<>(Collections.nCopies(messages, Delivery.DELIVERED));
        return new CompletableFuture<>() {
            @Override
            public CompletableFuture<List<Delivery>> whenComplete(
                    BiConsumer<? super List<Delivery>, ? super Throwable> action) {
                action.accept(answers, null);
                answers.clear();
                return this;
            }
        };
    }

    /** An answer that is given again, with other contents. */
    static CompletionStage<List<Delivery>> givenTwice(int messages) {
        return new CompletableFuture<>() {
            @Override
            public CompletableFuture<List<Delivery>> whenComplete(
                    BiConsumer<? super List<Delivery>, ? super Throwable> action) {
                action.accept(Collections.nCopies(messages, Delivery.DELIVERED), null);
                action.accept(Collections.nCopies(messages, new Delivery.Retry("no")), null);
                return this;
            }
        };
    }
}
