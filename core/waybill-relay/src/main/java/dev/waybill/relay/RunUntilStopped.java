package dev.waybill.relay;

import dev.waybill.relay.RelayListener.Sending;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.relay.sharing.Placement;
import dev.waybill.relay.sharing.Sharing;
import dev.waybill.spi.LeaseLostException;
import dev.waybill.spi.LeasedSession;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.ProcessRegister.RelayReport;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.AfterWindows;
import dev.waybill.spi.transaction.WindowSession;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop around {@link RelayCycle}: takes the lease, runs the cycle, waits, and starts a new session after a failure. */
final class RunUntilStopped implements Runnable {
    private static final Logger log = LoggerFactory.getLogger(RunUntilStopped.class);

    private final RelayPlan plan;
    private final OwnerId owner;
    private final InstantSource clock;
    private final Signal signal = new Signal();
    private final RelayStatistics statistics = new RelayStatistics();
    private final FailureStreak failures;
    private final Pace pace;
    private final FailureReport failureReport;
    private final RepeatedRefusals refusals;
    private final UserCalls calls;
    private final GuardedListener listener;
    private final SettledReport report;
    private final ExecutorService reader;
    private final ExecutorService settler;
    private final RelayGroup.@Nullable Membership membership;
    private final Placement placement;
    private volatile boolean stopping;
    private volatile boolean wokenUp;
    private volatile boolean idle;

    /** @param nanoTime the monotonic clock that measures how long the relay has been failing */
    RunUntilStopped(RelayPlan plan, OwnerId owner, InstantSource clock, LongSupplier nanoTime) {
        this.plan = plan;
        this.owner = owner;
        this.clock = clock;
        this.failures = new FailureStreak(nanoTime);
        this.pace = new Pace(plan.options().poll(), failures);
        this.failureReport = new FailureReport(plan.name(), nanoTime);
        this.refusals = new RepeatedRefusals(nanoTime);
        this.calls = new UserCalls(plan, statistics, failures, System::nanoTime);
        this.listener = new GuardedListener(plan, calls);
        this.report = new SettledReport(statistics, pace, failureReport, listener);
        this.reader = BacklogThread.of(plan, "reader");
        this.settler = BacklogThread.of(plan, "settler");
        this.membership = plan.inGroup()
                .map(in -> in.group().join(plan, in.destination(), sharedLoop()))
                .orElse(null);
        this.placement = membership == null ? Placement.ALONE : membership.placement();
    }

    private Sharing.Loop sharedLoop() {
        return new Sharing.Loop() {
            @Override
            public void wake() {
                signal.raise();
            }

            @Override
            public Optional<Duration> failingFor() {
                return failures.lasts();
            }

            @Override
            public Optional<Duration> lastPublished() {
                return failures.lastSuccess();
            }

            @Override
            public boolean isIdle() {
                return idle;
            }

            @Override
            public RelayReport report() {
                return statistics.report(plan.name(), owner, failures.lasts());
            }
        };
    }

    void wakeUp() {
        wokenUp = true;
        signal.raiseIn(Pace.FIRST_POLL_AFTER_WAKE);
    }

    /** The loop does not run, or does not run any more. */
    void leaveGroup() {
        if (membership != null) {
            membership.close();
        }
    }

    void stop() {
        stopping = true;
        calls.stop();
        signal.raise();
    }

    RelayStatistics statistics() {
        return statistics;
    }

    Optional<Duration> failingFor() {
        return failures.lasts();
    }

    @Override
    public void run() {
        try {
            waitOut(plan.options().poll().initialDelay());
            while (!stopping) {
                Duration untilTake = placement.untilTake();
                if (untilTake.isZero()) {
                    waitOut(runSession());
                } else {
                    standBy(untilTake);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.warn("Relay {}: its thread was interrupted, so it stops; use close() to stop a relay.", plan.name());
        } finally {
            reader.shutdown();
            settler.shutdown();
            leaveGroup();
            failureReport.tellRest();
            calls.tellRest();
            statistics.is(Phase.STOPPED);
        }
    }

    /** Another process has the lease, or takes it first; a change wakes the loop before the time has passed. */
    private void standBy(Duration atMost) throws InterruptedException {
        failures.stoodBy();
        statistics.is(Phase.STANDING_BY, "another process holds the lease");
        signal.await(atMost);
    }

    /**
     * One session, from the lease to its end.
     *
     * @return how long to wait before the next
     */
    private Duration runSession() throws InterruptedException {
        long openedAt = System.nanoTime();
        try {
            Optional<? extends LeasedSession> opened = open();
            if (opened.isEmpty()) {
                failures.stoodBy();
                statistics.is(Phase.STANDING_BY, "another process holds the lease");
                return LeaseKeeper.standbyInterval(plan.options().lease());
            }
            try (LeasedSession session = opened.get()) {
                log.info("Relay {}: epoch {} begins.", plan.name(), session.epoch());
                statistics.sessionOpened();
                work(session, openedAt);
            } finally {
                boolean gaveUp = placement.givesUp();
                placement.ended();
                if (gaveUp) {
                    // Closes a connection that this process does not need any more; nothing is in flight.
                    AbortDestination.now(plan);
                }
            }
            return Duration.ZERO;
        } catch (LeaseLostException e) {
            log.warn("{} Standing by.", e.getMessage());
            statistics.is(Phase.STANDING_BY, "the lease was lost");
            return Duration.ZERO;
        } catch (StalledException e) {
            Duration wait = standAside();
            log.error(
                    "Relay {}: {}. The session ends, and they are sent again: some may arrive twice. Trying again"
                            + " in {} ms.",
                    plan.name(),
                    e.getMessage(),
                    wait.toMillis());
            statistics.is(Phase.BACKING_OFF, String.valueOf(e.getMessage()));
            listener.unavailable(String.valueOf(e.getMessage()));
            return wait;
        } catch (StoreException e) {
            Duration wait = pace.failed();
            if (refusals.isToBeLogged(String.valueOf(e.getMessage()))) {
                log.warn("Relay {}: {} (trying again in {} ms)", plan.name(), e.getMessage(), wait.toMillis());
            }
            statistics.is(Phase.STANDING_BY, String.valueOf(e.getMessage()));
            return wait;
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            // Whatever is thrown, also a checked exception that is not declared: this thread must not end unnoticed.
            Duration wait = pace.failed();
            log.error("Relay {}: a defect ended its session. Trying again in {} ms.", plan.name(), wait.toMillis(), e);
            statistics.is(Phase.STANDING_BY, "a defect: " + e.getClass().getName());
            return wait;
        }
    }

    private Optional<? extends LeasedSession> open() {
        boolean taken = false;
        try {
            Duration lease = plan.options().lease();
            Optional<? extends LeasedSession> opened = plan.transactions().isPresent()
                    ? plan.windowStore().openWindows(plan.name(), owner, lease)
                    : plan.store().open(plan.name(), owner, lease);
            taken = opened.isPresent();
            return opened;
        } finally {
            if (taken) {
                placement.taken();
            } else {
                placement.notTaken();
            }
        }
    }

    /** Long enough for another process, whose destination may be available, to take the lease. */
    private Duration standAside() {
        Duration wait = pace.failed();
        Duration others = LeaseKeeper.standbyInterval(plan.options().lease()).multipliedBy(2);
        return wait.compareTo(others) < 0 ? others : wait;
    }

    private void work(LeasedSession session, long openedAt) throws InterruptedException {
        // Opening may have used up most of the lease: renew it first.
        long askedAt = System.nanoTime();
        boolean slow = askedAt - openedAt
                > LeaseKeeper.renewalInterval(plan.options().lease()).toNanos();
        if (slow && !session.renew()) {
            throw new LeaseLostException(plan.name(), session.epoch());
        }
        LeaseKeeper lease =
                new LeaseKeeper(session, plan.options().lease(), System::nanoTime, slow ? askedAt : openedAt);
        SessionCallbacks callbacks = new SessionCallbacks(lease);
        if (session instanceof WindowSession windows) {
            // With a rate, the limits of a page depend on what was read before.
            int ahead = plan.options().rate().isPresent()
                    ? 0
                    : plan.options().inFlight().batches();
            try (ReadAhead pages = new ReadAhead(windows, reader, ahead)) {
                run(new TransactionCycle(pages, plan, clock, callbacks, System::nanoTime), session, lease);
            }
        } else if (session instanceof RelaySession claiming) {
            try (ClaimAhead claims = new ClaimAhead(claiming, reader, settler)) {
                run(new RelayCycle(claims, plan, clock, callbacks), session, lease);
            }
        }
    }

    private void run(Cycle cycle, LeasedSession session, LeaseKeeper lease) throws InterruptedException {
        long epoch = session.epoch();
        Watchdog watchdog = new Watchdog(plan, calls, System::nanoTime);
        boolean stopped = false;
        idle = false;
        try (KeepRenewing renewing = KeepRenewing.start(plan, lease, watchdog)) {
            if (session instanceof AfterWindows after) {
                EndLastWriter.of(plan, after);
            }
            while (!stopping && renewing.holds() && !placement.givesUp()) {
                run(cycle, watchdog);
            }
            if (!renewing.holds()) {
                throw watchdog.notRenewed(epoch);
            }
            FinishCycle.await(cycle, plan, watchdog, signal);
            stopped = true;
            if (placement.givesUp()) {
                log.info("Relay {}: epoch {} ends, so that a process with fewer relays takes it.", plan.name(), epoch);
            }
        } finally {
            if (!stopped) {
                // Before the session releases the lease, because another process may publish from then on.
                AbortDestination.now(plan);
            }
            cycle.abandon();
        }
    }

    private void run(Cycle cycle, Watchdog watchdog) throws InterruptedException {
        CycleResult result = cycle.runOnce();
        failureReport.tell();
        Duration wait = pace(result);
        Outgoing.Unanswered out = cycle.unanswered();
        if (out.messages() > 0) {
            Duration untilLook = watchdog.look(out, cycle::abort);
            wait = wait.compareTo(untilLook) < 0 ? wait : untilLook;
        }
        watchdog.cycled(wait);
        if (result instanceof CycleResult.Unavailable) {
            waitOut(wait);
        } else if (!wait.isZero()) {
            signal.await(wait);
        }
    }

    /** Waits for the whole time, even if events are appended; only a stop ends it. */
    private void waitOut(Duration time) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0 && !stopping; left = end - System.nanoTime()) {
            signal.await(Duration.ofNanos(left));
        }
    }

    private Duration pace(CycleResult result) {
        if (wokenUp) {
            wokenUp = false;
            pace.wakeUp();
        }
        idle = result instanceof CycleResult.Idle;
        Duration wait = pace.after(result);
        if (result instanceof CycleResult.Unavailable unavailable) {
            log.warn(
                    "Relay {}: the destination is unavailable ({}). {} Trying again in {} ms.",
                    plan.name(),
                    unavailable.error(),
                    plan.options().countOutages()
                            ? "It counts as a failed attempt of the events that were sent."
                            : "No attempts are counted.",
                    wait.toMillis());
            statistics.is(Phase.BACKING_OFF, unavailable.error());
            listener.unavailable(unavailable.error());
        }
        return wait;
    }

    private final class SessionCallbacks implements RelayCycle.Callbacks {
        private final LeaseKeeper lease;

        SessionCallbacks(LeaseKeeper lease) {
            this.lease = lease;
        }

        @Override
        public void answersArrived() {
            signal.raise();
        }

        @Override
        public boolean mayPublish() {
            return lease.holds();
        }

        @Override
        public UserCalls calls() {
            return calls;
        }

        @Override
        public void claimed(List<StoredEvent> events) {
            listener.claimed(events);
        }

        @Override
        public Sending sending(
                Supplier<List<StoredEvent>> events, List<OutboundMessage> messages, Supplier<Duration> sinceClaim) {
            return listener.sending(events, messages, sinceClaim);
        }

        @Override
        public void settled(List<Settlement> settlements, List<StoredEvent> events, boolean progress) {
            report.settled(settlements, events, progress);
        }

        @Override
        public void repeats(int events) {
            statistics.repeat(events);
        }
    }
}
