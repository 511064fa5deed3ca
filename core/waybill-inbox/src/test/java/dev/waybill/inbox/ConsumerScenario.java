package dev.waybill.inbox;

/** What happens to a consumer while one of its calls fails. The first letter of an event's name is its key. */
enum ConsumerScenario {
    CONSUME {
        @Override
        void play(ConsumerRun run) {
            run.send("a1", "a2", "b1", "b2", "c1");
            run.start();
            run.settle();
        }
    },
    TOGETHER {
        @Override
        void play(ConsumerRun run) {
            run.handleInBatches();
            run.send("a1", "a2", "b1", "c1", "c2");
            run.start();
            run.settle();
        }
    },
    RETRY {
        @Override
        void play(ConsumerRun run) {
            run.failsTimes("a1", 2);
            run.send("a1", "a2", "b1");
            run.start();
            run.settle();
        }
    },
    UNAVAILABLE {
        @Override
        void play(ConsumerRun run) {
            run.findsAwayTimes("a1", 3);
            run.send("a1", "a2", "b1");
            run.start();
            run.settle();
        }
    },
    DEAD_LETTER {
        @Override
        void play(ConsumerRun run) {
            run.isPoison("a1");
            run.send("a1", "a2", "b1");
            run.sendUnreadable("c");
            run.send("c2");
            run.start();
            run.settle();
        }
    },
    REBALANCE {
        @Override
        void play(ConsumerRun run) {
            run.send("a1", "b1", "c1");
            run.start();
            run.startAnother();
            run.send("a2", "b2", "c2");
            run.closeFirst();
            run.send("a3", "b3");
            run.settle();
        }
    },
    SEND_BACK {
        @Override
        void play(ConsumerRun run) {
            run.isPoison("a1");
            run.isPoison("b1");
            run.send("a1", "b1", "c1");
            run.start();
            run.settle();
            run.mend("a1");
            run.sendBack("a1");
            run.discard("b1");
            run.settle();
        }
    };

    abstract void play(ConsumerRun run);
}
