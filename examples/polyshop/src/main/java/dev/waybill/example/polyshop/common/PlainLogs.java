package dev.waybill.example.polyshop.common;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.LoggerFactory;

/** Log lines in the form of all services. */
final class PlainLogs {
    /** As in common.yaml. */
    private static final String PATTERN =
            "%d{HH:mm:ss.SSS} %-5level %replace(traceId=%X{traceId:-} eventId=%X{eventId:-} %kvp{NONE}){'(traceId|eventId)= | $', ''}"
                    + " %msg%n%ex";

    private PlainLogs() {}

    static void configure() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> console = new ConsoleAppender<>();
        console.setContext(context);
        console.setEncoder(encoder);
        console.start();
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console);
        context.getLogger("dev.waybill.example").setLevel(Level.INFO);
        context.getLogger("org.apache.kafka").setLevel(Level.ERROR);
    }
}
