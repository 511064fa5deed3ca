package dev.waybill.server.api;

import dev.waybill.admin.Finding;
import dev.waybill.server.checkup.Checkup;
import dev.waybill.server.config.Installation;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Examines stores, relays and destinations in the background, one examination at a time. Safe for use by many threads. */
final class Checks {
    private static final Logger log = LoggerFactory.getLogger(Checks.class);

    private final Installation installation;
    private final InstantSource clock;
    private final Runnable ended;
    private List<Told> findings = List.of();
    private @Nullable Instant at;
    private boolean running;

    private record Told(String about, Finding finding) {}

    /** @param ended told when an examination has ended; must not wait */
    Checks(Installation installation, InstantSource clock, Runnable ended) {
        this.installation = installation;
        this.clock = clock;
        this.ended = ended;
    }

    /** Begins an examination unless one is under way. */
    synchronized void begin() {
        if (running) {
            return;
        }
        Thread thread = new Thread(this::examine, "waybill-checks");
        thread.setDaemon(true);
        thread.start();
        running = true;
    }

    private void examine() {
        List<Told> told = new CopyOnWriteArrayList<>();
        try {
            examine(told);
        } finally {
            synchronized (this) {
                findings = told.stream()
                        .sorted(Comparator.comparing((Told each) -> each.finding.severity())
                                .reversed())
                        .toList();
                at = clock.instant();
                running = false;
            }
        }
        ended.run();
    }

    private void examine(List<Told> told) {
        Checkup checkup = new Checkup((about, found) -> found.forEach(each -> told.add(new Told(about, each))));
        for (String store : installation.stores()) {
            attempt(
                    "store " + store,
                    told,
                    () -> checkup.examine(
                            new Checkup.Store(
                                    store,
                                    installation.admin(store),
                                    installation.relaysOf(store),
                                    installation.store(store).processes()),
                            Checkup.PARKED_TOO_LONG));
        }
        for (String destination : installation.destinations()) {
            attempt("destination " + destination, told, () -> checkup.examine(installation, destination, false));
        }
    }

    private static void attempt(String about, List<Told> told, Runnable examination) {
        try {
            examination.run();
        } catch (RuntimeException | Error e) {
            log.debug("The examination of {} failed.", about, e);
            told.add(new Told(
                    about,
                    Finding.problem(
                            "examination",
                            "it failed: " + (e instanceof Error ? e : e.getMessage()),
                            "Check again; if it fails again, the log of the process at level debug says why.")));
        }
    }

    synchronized Obj json() {
        List<Obj> all = new ArrayList<>();
        for (Told each : findings) {
            Finding finding = each.finding;
            all.add(new Obj()
                    .text("about", each.about)
                    .text("severity", finding.severity().name().toLowerCase(Locale.ROOT))
                    .text("subject", finding.subject())
                    .text("what", finding.what())
                    .text("remedy", finding.remedy().isEmpty() ? Optional.empty() : Optional.of(finding.remedy())));
        }
        return new Obj()
                .time("at", Optional.ofNullable(at))
                .flag("running", running)
                .list("findings", all);
    }
}
