package dev.waybill.server.api;

import dev.waybill.admin.LettersWornException;
import dev.waybill.server.access.Caller;
import dev.waybill.server.access.Door;
import dev.waybill.server.access.RefusedException;
import dev.waybill.server.access.Role;
import dev.waybill.server.config.Installation;
import dev.waybill.server.http.Answer;
import dev.waybill.server.http.MalformedRequestException;
import dev.waybill.server.http.Outcome;
import dev.waybill.server.http.Request;
import dev.waybill.server.live.Sampler;
import dev.waybill.server.operation.Operations;
import dev.waybill.server.operation.TooManyOperationsException;
import dev.waybill.spi.Printable;
import dev.waybill.spi.SourceException;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoreRefusedException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the admin API and the console. Every request passes the same checks, in the order of {@link #serve}. */
public final class AdminApi implements Function<Request, Outcome>, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AdminApi.class);
    private static final Logger audit = LoggerFactory.getLogger("dev.waybill.audit");

    private static final String API = "/api/";

    private final Door door;
    private final Answers answers;
    private final RouteTable table;
    private final Operations operations;
    private final LiveStreams streams;
    private final Lanes lanes = new Lanes();
    private volatile boolean closed;

    public AdminApi(Installation installation, Sampler sampler) {
        this(installation, sampler, InstantSource.system());
    }

    AdminApi(Installation installation, Sampler sampler, InstantSource clock) {
        this.door = new Door(installation.serving().access(), clock);
        this.answers = new Answers(new Json(installation.secrets()));
        this.operations = new Operations(clock);
        Backend backend = new Backend(installation, sampler, operations, lanes);
        RelayShape relays = new RelayShape(relay -> installation.relays().contains(relay)
                ? Optional.of(installation.destinationOf(relay))
                : Optional.empty());
        Overview overview = new Overview(backend, relays, door.rules().readOnly(), clock);
        this.streams = new LiveStreams(door, answers, overview::now, sampler::look);
        Checks[] self = new Checks[1];
        Checks checks = new Checks(installation, clock, () -> streams.send("checks", self[0].json()));
        self[0] = checks;
        operations.listen(streams::operation);
        Offers offers = new Offers(operations);
        this.table = new RouteTable(List.of(
                new SessionRoutes(door, answers).routes(),
                new WatchRoutes(backend, answers, overview, relays, checks, streams).routes(),
                new EventRoutes(backend, answers).routes(),
                new FailureRoutes(backend, answers, clock).routes(),
                new ActionRoutes(backend, answers, offers).routes(),
                new OperationRoutes(backend, answers).routes(),
                new ReplayRoutes(backend, answers, offers, clock).routes(),
                new LetterRoutes(backend, answers, offers, clock).routes(),
                new AuditRoutes(backend, answers).routes(),
                List.of(Route.get(API + "openapi.json", Role.VIEWER, "This description.")
                        .does("the description", call -> description()))));
    }

    /** Number of logins with a wrong name, password or token since the start of the process. */
    public long failedLogins() {
        return door.failedLogins();
    }

    RouteTable table() {
        return table;
    }

    private Answer description() {
        byte[] text = Json.pretty(OpenApi.of(table)).getBytes(StandardCharsets.UTF_8);
        return Answer.ok("application/json; charset=utf-8", text).with(Answers.HEADERS);
    }

    @Override
    public Outcome apply(Request request) {
        try {
            return serve(request);
        } catch (RefusedException e) {
            return answers.refused(e);
        } catch (MalformedRequestException e) {
            return answers.error("400 Bad Request", "bad-request", String.valueOf(e.getMessage()));
        } catch (TooManyOperationsException e) {
            return answers.error("429 Too Many Requests", "too-many", String.valueOf(e.getMessage()));
        } catch (StoreRefusedException | LettersWornException e) {
            return answers.error("409 Conflict", "conflict", String.valueOf(e.getMessage()));
        } catch (StoreException | SourceException e) {
            return answers.error("503 Service Unavailable", "store-unavailable", String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            log.warn("{} failed.", request.method() + " " + Printable.of(request.path()), e);
            return answers.error(
                    "500 Internal Server Error", "failed", "The request failed; the log of the process says why.");
        }
    }

    private Outcome serve(Request request) {
        if (closed) {
            return answers.error("503 Service Unavailable", "stopping", "The process is stopping.");
        }
        door.checkHost(request);
        if (request.path().startsWith(API)) {
            return call(request);
        }
        boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
        if (request.path().startsWith(ConsoleFiles.ROOT) && reads) {
            return ConsoleFiles.find(request.path()).orElseThrow(() -> Backend.notFound("There is no such file."));
        }
        if (reads && Set.of("/", "/ui").contains(request.path())) {
            return Answer.line("303 See Other", "The console is at /ui/.")
                    .with(Answers.HEADERS)
                    .with(Map.of("Location", ConsoleFiles.ROOT));
        }
        throw Backend.notFound("There is /ui/, /api/, /health, /ready and /metrics.");
    }

    private Outcome call(Request request) {
        Optional<RouteTable.Match> found = table.find(request);
        Caller caller = door.caller(request);
        if (found.isEmpty()) {
            // A caller who is not signed in does not learn what exists.
            door.require(Role.VIEWER, caller);
            if (table.knows(request.path())) {
                throw new RefusedException(
                        "405 Method Not Allowed",
                        "no-such-method",
                        "This route has another method: see /api/openapi.json.");
            }
            throw Backend.notFound("There is no such route: see /api/openapi.json.");
        }
        Route route = found.get().route();
        door.checkSite(request, route.isPost());
        require(route, caller);
        checkNames("parameter", request.query().keySet(), route.query());
        Input body = new Input(Map.of());
        if (route.isPost()) {
            Map<String, Object> fields = Json.read(request.body());
            checkNames("field", fields.keySet(), route.body());
            body = new Input(fields);
        }
        Call call = new Call(request, caller, found.get().path(), body);
        return lanes.run(route, call.server(), () -> route.action().run(call));
    }

    private void require(Route route, Caller caller) {
        try {
            door.require(route.role(), caller);
        } catch (RefusedException e) {
            if (route.role() == Role.OPERATOR && caller.role() != Role.ANYONE) {
                audit.info("audit: denied {} to {} ({})", route.path(), Printable.of(caller.name()), e.code());
            }
            throw e;
        }
    }

    private static void checkNames(String what, Set<String> given, List<Field> known) {
        Set<String> names = known.stream().map(Field::name).collect(Collectors.toSet());
        if (!names.containsAll(given)) {
            throw Json.bad("There is a " + what + " that this route does not have. It has: "
                    + (names.isEmpty()
                            ? "none"
                            : String.join(", ", known.stream().map(Field::name).toList())) + ".");
        }
    }

    /** Ends streams and operations, and refuses further requests. */
    @Override
    public void close() {
        closed = true;
        streams.close();
        operations.close();
    }
}
