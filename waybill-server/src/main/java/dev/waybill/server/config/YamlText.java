package dev.waybill.server.config;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Maps, lists and texts as YAML that this package reads back. */
final class YamlText {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_/][A-Za-z0-9_./-]*");
    private static final Pattern NOTHING = Pattern.compile("(?i)null");

    private final StringBuilder text = new StringBuilder();

    private YamlText() {}

    static String of(Object tree) {
        YamlText yaml = new YamlText();
        yaml.append(tree, "");
        return yaml.text.toString();
    }

    private void append(Object value, String indent) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            map.forEach((name, each) -> {
                text.append(indent).append(scalar(name)).append(':');
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
            text.append(' ').append(scalar(value)).append('\n');
        }
    }

    private static boolean isEmpty(Object value) {
        return Map.of().equals(value) || List.of().equals(value);
    }

    private static String scalar(Object value) {
        String words = String.valueOf(value);
        if (PLAIN.matcher(words).matches() && !NOTHING.matcher(words).matches()) {
            return words;
        }
        return '"'
                + words.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r")
                        .replace("\t", "\\t")
                + '"';
    }
}
