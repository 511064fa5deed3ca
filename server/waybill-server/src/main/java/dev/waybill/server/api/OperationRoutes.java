package dev.waybill.server.api;

import dev.waybill.server.access.RefusedException;
import dev.waybill.server.access.Role;
import java.util.List;

/** Operations of this process. */
final class OperationRoutes {
    private final Backend backend;
    private final Answers answers;

    OperationRoutes(Backend backend, Answers answers) {
        this.backend = backend;
        this.answers = answers;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/operations", Role.VIEWER, "Operations of this process, newest first.")
                        .does(
                                "operations",
                                call -> answers.json(new Obj()
                                        .list(
                                                "operations",
                                                backend.operations().all().stream()
                                                        .map(view -> OperationShape.of(view, call.isOperator()))
                                                        .toList()))),
                Route.get("/api/operations/{id}", Role.VIEWER, "One operation.")
                        .does(
                                "Operation",
                                call -> answers.json(backend.operations()
                                        .find(call.part("id"))
                                        .map(view -> OperationShape.of(view, call.isOperator()))
                                        .orElseThrow(OperationRoutes::none))),
                Route.post("/api/operations/{id}/cancel", Role.OPERATOR, "Stops an operation between two steps.")
                        .body(Field.text("reason", "why, for the audit"))
                        .does(
                                "Operation",
                                call -> answers.json(backend.operations()
                                        .cancel(call.part("id"), call.actor())
                                        .map(view -> OperationShape.of(view, call.isOperator()))
                                        .orElseThrow(OperationRoutes::none))));
    }

    private static RefusedException none() {
        return Backend.notFound(
                "This process has no operation of this id: it is forgotten, or another process runs it. The audit knows what"
                        + " was changed.");
    }
}
