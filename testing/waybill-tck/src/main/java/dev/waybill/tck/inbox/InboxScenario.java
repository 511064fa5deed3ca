package dev.waybill.tck.inbox;

import dev.waybill.PurgeableInbox;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** A sequence of actions on an inbox while one of its calls fails. */
enum InboxScenario {
    FIRST_DELIVERY {
        @Override
        void play(InboxRun<?> run) {
            run.deliver("a");
            run.deliver("b");
        }
    },
    REPEAT {
        @Override
        void prepare(InboxRun<?> run) {
            run.deliver("a");
        }

        @Override
        void play(InboxRun<?> run) {
            run.deliver("a");
            run.deliver("b");
            run.deliver("b");
        }
    },
    STALE_VERSION {
        @Override
        boolean appliesTo(InboxFaultHarness<?> harness) {
            return harness.guardsVersions();
        }

        @Override
        void prepare(InboxRun<?> run) {
            run.deliverVersion("one", 1);
        }

        @Override
        void play(InboxRun<?> run) {
            run.deliverVersion("three", 3);
            run.deliverStale("two", 2);
            run.deliverVersion("four", 4);
        }
    },
    BATCH {
        @Override
        void prepare(InboxRun<?> run) {
            run.deliver("e2");
        }

        @Override
        void play(InboxRun<?> run) {
            List<String> names =
                    IntStream.rangeClosed(1, 6).mapToObj(i -> "e" + i).toList();
            run.deliverAll(names);
            run.deliverAll(List.of("e6", "e7", "e7"));
        }
    },
    TWO_CONSUMERS {
        @Override
        boolean appliesTo(InboxFaultHarness<?> harness) {
            return harness.takesSeveralConsumers();
        }

        @Override
        void play(InboxRun<?> run) {
            run.deliver("a");
            run.as("shipping").deliver("a");
            run.as(InboxContract.CONSUMER).deliver("a");
        }
    },
    /** The handler fails halfway, with an exception and with an Error. */
    HALF_AN_EFFECT {
        @Override
        void play(InboxRun<?> run) {
            run.deliverFailingOnce("a", new IOException("no paper"));
            run.deliverFailingOnce("b", new OutOfMemoryError("while handling"));
        }
    },
    PURGE {
        @Override
        boolean appliesTo(InboxFaultHarness<?> harness) {
            return harness.inbox() instanceof PurgeableInbox<?>;
        }

        @Override
        void prepare(InboxRun<?> run) {
            run.deliver("old1");
            run.deliver("old2");
            run.deliver("old3");
            run.makeOld();
        }

        @Override
        void play(InboxRun<?> run) {
            run.deliver("young");
            run.purge(3, 2);
            run.deliver("young");
        }
    },
    /** An event that another consumer handled long ago still has its effect once. */
    PURGE_BESIDE_ANOTHER {
        @Override
        boolean appliesTo(InboxFaultHarness<?> harness) {
            return PURGE.appliesTo(harness) && harness.takesSeveralConsumers();
        }

        @Override
        void prepare(InboxRun<?> run) {
            run.deliver("a");
            run.as("shipping").deliver("a");
            run.as(InboxContract.CONSUMER).makeOld();
        }

        @Override
        void play(InboxRun<?> run) {
            run.purge(1, 2);
            run.as("shipping").deliver("a");
        }
    };

    boolean appliesTo(InboxFaultHarness<?> harness) {
        return true;
    }

    /** Preparation for the scenario, without failures. */
    void prepare(InboxRun<?> run) {}

    abstract void play(InboxRun<?> run);
}
