package dev.waybill.server.api;

import dev.waybill.server.access.Caller;
import dev.waybill.server.access.Door;
import dev.waybill.server.access.Role;
import dev.waybill.server.http.Answer;
import java.util.List;
import java.util.Map;

/** Signing in and out. */
final class SessionRoutes {
    private final Door door;
    private final Answers answers;

    SessionRoutes(Door door, Answers answers) {
        this.door = door;
        this.answers = answers;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/api/whoami", Role.ANYONE, "Who you are, and how to sign in.")
                        .does(
                                "name, role, authentication, readOnly, version",
                                call -> answers.json(who(call.caller()))),
                Route.post("/api/login", Role.ANYONE, "Signs in with a password; sets a cookie.")
                        .body(
                                Field.text("name", "the user").must(),
                                Field.text("password", "the password").must())
                        .does("as whoami", this::login),
                Route.post("/api/logout", Role.VIEWER, "Ends the session.")
                        .does(
                                "nothing",
                                call -> answers.json(new Obj())
                                        .with(Map.of("Set-Cookie", door.logout(call.request())))));
    }

    private Answer login(Call call) {
        Door.Entered entered = door.login(call.body().text("name"), call.body().text("password"), call.request());
        return answers.json(who(entered.caller())).with(Map.of("Set-Cookie", entered.setCookie()));
    }

    private Obj who(Caller caller) {
        Obj one = new Obj();
        if (caller.role() != Role.ANYONE) {
            one.text("name", caller.name()).text("role", caller.role().word());
        }
        String version = SessionRoutes.class.getPackage().getImplementationVersion();
        return one.text("authentication", door.rules().authentication())
                .flag("readOnly", door.rules().readOnly())
                .text("version", version == null ? "development" : version);
    }
}
