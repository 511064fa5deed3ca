package dev.waybill.server.logs;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import dev.waybill.server.secrets.Secrets;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogSetupTest {
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final LoggerContext context = new LoggerContext();

    @BeforeEach
    void asACommand() {
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        Secrets secrets = new Secrets();
        secrets.add("canary-1234");
        LogSetup.hide(secrets);
        context.setMDCAdapter(new LogbackMDCAdapter());
        new LogSetup().configure(context);
    }

    @AfterEach
    void restore() {
        context.stop();
        LogSetup.hide(new Secrets());
        System.setErr(before);
    }

    private String log() {
        return written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void a_command_logs_the_audit_and_warnings() {
        context.getLogger("dev.waybill.audit").info("audit: discard-letter by anna");
        context.getLogger("dev.waybill.relay").info("all is well");

        assertThat(log()).contains("audit: discard-letter by anna").doesNotContain("all is well");
    }

    @Test
    void the_log_of_a_command_hides_before_it_cuts() {
        context.getLogger("org.postgresql.Driver").warn("x".repeat(3_993) + " canary-1234 and more");

        assertThat(log()).contains("xxx").doesNotContain("canary");
    }
}
