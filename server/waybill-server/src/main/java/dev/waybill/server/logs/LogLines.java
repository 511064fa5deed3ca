package dev.waybill.server.logs;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.waybill.server.secrets.Secrets;
import dev.waybill.spi.Printable;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Formats log lines. Logback's own JSON encoder is no use here: it cannot hide secrets, and nests what belongs beside the message.
 * Secrets are hidden before a long line is cut, since a part of a secret is still confidential.
 */
final class LogLines extends EncoderBase<ILoggingEvent> {
    private static final Set<String> TEXT_FIELDS = Set.of("eventId", "traceId");

    private final LogFormat format;
    private final Secrets secrets;

    LogLines(LogFormat format, Secrets secrets) {
        this.format = format;
        this.secrets = secrets;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        String line = switch (format) {
            case TEXT -> text(event);
            case JSON -> JsonLine.of(json(event));
        };
        return (line + "\n").getBytes(StandardCharsets.UTF_8);
    }

    private String text(ILoggingEvent event) {
        return String.format(
                Locale.ROOT,
                "%s %-5s %s%s%s",
                event.getInstant(),
                event.getLevel(),
                Printable.of(safe(event.getFormattedMessage())),
                ids(event),
                error(event).map(LogLines::indented).orElse(""));
    }

    /** The ids by which lines about an event are found in the logs of all services. */
    private String ids(ILoggingEvent event) {
        return Optional.ofNullable(event.getKeyValuePairs()).orElse(List.of()).stream()
                .filter(pair -> TEXT_FIELDS.contains(pair.key))
                .map(pair -> " " + pair.key + "=" + Printable.of(safe(String.valueOf(pair.value))))
                .collect(Collectors.joining());
    }

    /** Indents every line, so that no line of an error looks like a log line. */
    private static String indented(String error) {
        return error.lines().map(line -> "\n  " + Printable.whole(line)).collect(Collectors.joining());
    }

    /** Attached values, such as relay and eventId, are fields beside the message. */
    private Map<String, Object> json(ILoggingEvent event) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", event.getInstant().toString());
        line.put("level", event.getLevel().toString());
        event.getMDCPropertyMap().forEach((name, value) -> line.put(name, safe(value)));
        if (event.getKeyValuePairs() != null) {
            event.getKeyValuePairs().forEach(pair -> line.put(pair.key, safe(String.valueOf(pair.value))));
        }
        line.put("message", safe(event.getFormattedMessage()));
        line.put("logger", safe(event.getLoggerName()));
        line.put("thread", safe(event.getThreadName()));
        error(event).ifPresent(error -> line.put("error", error));
        return line;
    }

    private Optional<String> error(ILoggingEvent event) {
        return Optional.ofNullable(event.getThrowableProxy())
                .map(ThrowableProxyUtil::asString)
                .map(this::safe);
    }

    private String safe(String text) {
        return secrets.hide(text);
    }

    @Override
    public byte[] headerBytes() {
        return new byte[0];
    }

    @Override
    public byte[] footerBytes() {
        return new byte[0];
    }
}
