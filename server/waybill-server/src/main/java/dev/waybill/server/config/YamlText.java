package dev.waybill.server.config;

import dev.waybill.server.secrets.Secrets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Writes YAML that can be read back; a comment says where a value comes from that is not in the file itself. Secrets are hidden in values, before they are quoted, and not in names. */
final class YamlText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_/][A-Za-z0-9_./-]*");
    private static final Pattern NOTHING = Pattern.compile("(?i)null");

    private final StringBuilder text = new StringBuilder();

    private final Secrets secrets;

    private YamlText(Secrets secrets) {
        this.secrets = secrets;
    }

    static String of(Object tree, Secrets secrets) {
        YamlText yaml = new YamlText(secrets);
        yaml.append(tree, "");
        return yaml.text.toString();
    }

    private void append(Object value, String indent) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            map.forEach((name, each) -> {
                text.append(indent).append(scalar(String.valueOf(name))).append(':');
                appendBehind(each, indent);
            });
        } else if (value instanceof List<?> list && !list.isEmpty()) {
            list.forEach(each -> {
                text.append(indent).append('-');
                appendBehind(each, indent);
            });
        }
    }

    private void appendBehind(Object value, String indent) {
        if (isEmpty(value)) {
            text.append(value instanceof Map ? " {}" : " []").append('\n');
        } else if (value instanceof Map || value instanceof List) {
            text.append('\n');
            append(value, indent + "  ");
        } else {
            Shown shown = (Shown) value;
            Shown.Printed printed = shown.without(secrets);
            text.append(' ').append(scalar(printed.value()));
            text.append(printed.origin().isEmpty() ? "" : " # " + oneLine(printed.origin()))
                    .append('\n');
        }
    }

    private static boolean isEmpty(Object value) {
        return Map.of().equals(value) || List.of().equals(value);
    }

    private static String scalar(String words) {
        if (PLAIN.matcher(words).matches() && !NOTHING.matcher(words).matches()) {
            return words;
        }
        return '"' + oneLine(words.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
    }

    private static String oneLine(String words) {
        return words.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
    }
}
