package dev.waybill.server;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** How a command answers: tables and sentences for people, JSON for programs. */
final class Output {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Option(names = "--json", description = "answer with JSON, for programs")
    private boolean json;

    boolean isJson() {
        return json;
    }

    Surroundings surroundings() {
        return WaybillCommand.surroundingsOf(spec);
    }

    Terminal terminal() {
        return surroundings().terminal();
    }

    void print(Table table) {
        line(table.without(surroundings().secrets()).on(terminal()));
    }

    void line(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(surroundings().secrets().hide(text));
        out.flush();
    }

    void json(Object value) {
        line(JSON.writeValueAsString(value));
    }

    /** One thing done, in both forms. */
    void done(String sentence, Object value) {
        if (json) {
            json(value);
        } else {
            line(sentence);
        }
    }

    /** Beside the answer: it must not get into what a program reads. */
    void aside(String text) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(surroundings().secrets().hide(text));
        err.flush();
    }
}
