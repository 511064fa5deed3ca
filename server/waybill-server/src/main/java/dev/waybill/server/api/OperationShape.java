package dev.waybill.server.api;

import dev.waybill.server.operation.Operation;

/** Operations as JSON. */
final class OperationShape {
    private OperationShape() {}

    static Obj of(Operation.View view, boolean operator) {
        Obj one = new Obj().text("id", view.id()).text("action", view.target().action());
        view.target().where().forEach(one::text);
        return one.text("words", Selected.shown(view.target().words(), operator))
                .text("by", view.by().who())
                .text("reason", view.by().why())
                .text("state", view.state().word())
                .count("total", view.total())
                .flag("totalExact", view.totalExact())
                .count("done", view.done())
                .count("skipped", view.skipped())
                .count("failed", view.failed())
                .count("unknown", view.unknown())
                .whole("rate", view.rate())
                .time("startedAt", view.startedAt())
                .time("endedAt", view.endedAt())
                .seconds("leftSeconds", view.left())
                .text("error", view.error());
    }
}
