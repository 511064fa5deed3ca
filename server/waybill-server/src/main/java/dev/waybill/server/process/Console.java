package dev.waybill.server.process;

import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayPlan;
import dev.waybill.server.api.AdminApi;
import dev.waybill.server.config.Installation;
import dev.waybill.server.http.Answer;
import dev.waybill.server.http.Outcome;
import dev.waybill.server.http.Request;
import dev.waybill.server.live.OwnRelays;
import dev.waybill.server.live.Sampler;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** The console and the admin API of a process; without both if the configuration turns them off. */
final class Console implements AutoCloseable {
    private final OwnRelays own = new OwnRelays();
    private final Optional<Served> served;

    private record Served(Sampler sampler, AdminApi api) {}

    Console(Installation installation) {
        if (installation.serving().access().console()) {
            Sampler sampler = new Sampler(installation, own);
            served = Optional.of(new Served(sampler, new AdminApi(installation, sampler)));
        } else {
            served = Optional.empty();
        }
    }

    Relay start(RelayPlan plan, Function<RelayPlan, Relay> starting) {
        if (served.isEmpty()) {
            return starting.apply(plan);
        }
        Relay relay = starting.apply(plan.listener(own.listener()));
        own.started(plan, relay);
        return relay;
    }

    /** Begins to sample the stores. */
    void watch() {
        served.ifPresent(each -> each.sampler.start());
    }

    Function<Request, Outcome> handler() {
        return served.<Function<Request, Outcome>>map(Served::api)
                .orElse(request -> Answer.line("404 Not Found", "There is /health, /ready and /metrics."));
    }

    /** Number of failed logins since the start of the process; empty without a console. */
    Optional<LongSupplier> failedLogins() {
        return served.map(each -> each.api::failedLogins);
    }

    @Override
    public void close() {
        served.ifPresent(each -> {
            each.api.close();
            each.sampler.close();
        });
    }
}
