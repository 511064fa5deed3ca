package dev.waybill.server.logs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.waybill.server.secrets.Secrets;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** Configures the log: levels, target and format. Logback finds this class as a service. */
public final class LogSetup extends ContextAwareBase implements Configurator {
    private static final String LEVEL_VARIABLE = "WAYBILL_LOG_LEVEL";
    /** The level for clients of databases and brokers; default: warnings. */
    private static final String DRIVER_LEVEL_VARIABLE = "WAYBILL_DRIVER_LOG_LEVEL";

    private static final String OURS = "dev.waybill";
    /** Always logged: without a store, it is the only record of a change. */
    private static final String AUDIT = "dev.waybill.audit";

    /** They warn of every refused connection, which the relay reports itself. */
    private static final List<String> NOISY = List.of("org.apache.kafka", "org.mariadb", "com.rabbitmq", "io.grpc");

    /** Static, since Logback creates its own instance of this class on the first log statement. */
    private static volatile Secrets ofCommands = new Secrets();

    /** Sets the secrets that commands must not log. Call it before anything is logged. */
    public static void hide(Secrets secrets) {
        ofCommands = secrets;
    }

    /** For commands: warnings and errors, to the standard error. */
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        begin(context, ConsoleTarget.SystemErr, new LogLines(LogFormat.TEXT, ofCommands));
        context.getLogger(OURS).setLevel(level(LEVEL_VARIABLE, Level.WARN));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /**
     * For a process whose output is its log.
     *
     * @param secrets texts that no line may show
     */
    public static void start(LogFormat format, Secrets secrets) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        begin(context, ConsoleTarget.SystemOut, new LogLines(format, secrets));
        context.getLogger(OURS).setLevel(level(LEVEL_VARIABLE, Level.INFO));
    }

    private static void begin(LoggerContext context, ConsoleTarget target, Encoder<ILoggingEvent> encoder) {
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        encoder.setContext(context);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setTarget(target.getName());
        console.setEncoder(encoder);
        console.start();
        root.addAppender(console);
        // For what is logged through java.util.logging, as by gRPC.
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
        context.getLogger(AUDIT).setLevel(Level.INFO);
        root.setLevel(level(DRIVER_LEVEL_VARIABLE, Level.WARN));
        NOISY.forEach(name -> context.getLogger(name).setLevel(level(DRIVER_LEVEL_VARIABLE, Level.ERROR)));
        if (root.getLevel().levelInt < Level.INFO_INT) {
            // By default java.util.logging drops everything below INFO.
            java.util.logging.Logger.getLogger("").setLevel(java.util.logging.Level.ALL);
        }
    }

    private static Level level(String variable, Level otherwise) {
        return Optional.ofNullable(System.getenv(variable))
                .map(name -> Level.toLevel(name, otherwise))
                .orElse(otherwise);
    }
}
