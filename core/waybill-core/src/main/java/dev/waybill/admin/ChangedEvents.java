package dev.waybill.admin;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What an entry of the audit tells of the events that somebody has requeued or discarded. Ids of tables and of MongoDB are any text, so
 * they are quoted as in JSON unless they consist of harmless characters:
 *
 * <pre>
 * 2 events: 17, "18, or so"; not changed: 19; asked for: all dead
 * 12 events matching: all dead, type order.placed
 * 2 events (UUID, UUID); asked for: all dead
 * </pre>
 *
 * The third form is that of journals, whose functions write it.
 *
 * @param changed ids of changed events
 * @param notChanged ids of others that were asked for
 * @param all whether every changed event is named: not if they were selected by a filter, or if the entry was too long
 */
public record ChangedEvents(Set<String> changed, Set<String> notChanged, boolean all) {
    private static final Pattern COUNT = Pattern.compile("(?:finally |in the end )?(\\d{1,9}) events");
    private static final Pattern HARMLESS = Pattern.compile("[\\p{L}\\p{N}._:/@+=#~|-]+");
    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\]|\\\\(?:[\"\\\\]|u[0-9a-f]{4}))*+)\"");
    private static final String BETWEEN = ", ";
    private static final String CHANGED = ": ";
    private static final String NOT_CHANGED = "; not changed: ";

    public ChangedEvents {
        changed = Set.copyOf(changed);
        notChanged = Set.copyOf(notChanged);
    }

    /**
     * For the audit of a change of events by id.
     *
     * @param askedFor {@link Selection.Ids#askedFor}
     */
    public static String inWords(Collection<String> changed, Collection<String> notChanged, String askedFor) {
        return changed.size() + " events" + (changed.isEmpty() ? "" : CHANGED + list(changed))
                + (notChanged.isEmpty() ? "" : NOT_CHANGED + list(notChanged))
                + (askedFor.isEmpty() ? "" : "; asked for: " + askedFor);
    }

    /** For the audit of a change of events by a filter. */
    public static String inWords(int changed, Selection.Matching selection) {
        return changed + " events matching: " + selection.inWords();
    }

    /** Ids as the audit has them. */
    public static String list(Collection<String> ids) {
        return ids.stream().map(ChangedEvents::word).collect(Collectors.joining(BETWEEN));
    }

    private static String word(String id) {
        return HARMLESS.matcher(id).matches() ? id : quoted(id);
    }

    /** As in JSON. */
    static String quoted(String id) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < id.length(); i++) {
            char one = id.charAt(i);
            if (one == '"' || one == '\\') {
                quoted.append('\\').append(one);
            } else if (Character.isISOControl(one)) {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) one));
            } else {
                quoted.append(one);
            }
        }
        return quoted.append('"').toString();
    }

    /** @return empty if the details of an entry are not of this form */
    public static Optional<ChangedEvents> of(String details) {
        Matcher count = COUNT.matcher(details);
        if (!count.lookingAt()) {
            return Optional.empty();
        }
        Ids changed = new Ids(details, count.end());
        if (!changed.readInParentheses()) {
            changed.readBehind(CHANGED);
        }
        Ids notChanged = new Ids(details, changed.at);
        notChanged.readBehind(NOT_CHANGED);
        int number = Integer.parseInt(count.group(1));
        return Optional.of(new ChangedEvents(
                number == 0 ? Set.of() : changed.ids, notChanged.ids, number == 0 || changed.ids.size() >= number));
    }

    /** Ids of a {@link #list}; without those that follow something else. */
    public static Set<String> ids(String list) {
        Ids ids = new Ids(list, 0);
        ids.readBehind("");
        return ids.ids;
    }

    /** Reads ids from a text. Not safe for use by many threads. */
    private static final class Ids {
        private final Set<String> ids = new LinkedHashSet<>();
        private final String text;
        private int at;

        Ids(String text, int at) {
            this.text = text;
            this.at = at;
        }

        /** UUIDs, which need no quotes. */
        boolean readInParentheses() {
            int end = text.indexOf(')', at);
            if (!text.startsWith(" (", at) || end < 0) {
                return false;
            }
            ids.addAll(List.of(text.substring(at + " (".length(), end).split(BETWEEN, -1)));
            at = end + 1;
            return true;
        }

        void readBehind(String beginning) {
            if (!text.startsWith(beginning, at)) {
                return;
            }
            at += beginning.length();
            while (readOne() && text.startsWith(BETWEEN, at)) {
                at += BETWEEN.length();
            }
        }

        /** One that is cut, or followed by anything but the next or the end of the list, is none. */
        private boolean readOne() {
            Matcher quoted = QUOTED.matcher(text).region(at, text.length());
            boolean isQuoted = quoted.lookingAt();
            Matcher found = isQuoted ? quoted : HARMLESS.matcher(text).region(at, text.length());
            if (!isQuoted && !found.lookingAt()) {
                return false;
            }
            boolean ends = found.end() == text.length()
                    || text.startsWith(BETWEEN, found.end())
                    || text.charAt(found.end()) == ';';
            if (ends) {
                ids.add(isQuoted ? unquoted(quoted.group(1)) : found.group());
                at = found.end();
            }
            return ends;
        }

        private static String unquoted(String text) {
            StringBuilder id = new StringBuilder();
            for (int i = 0; i < text.length(); i++) {
                char one = text.charAt(i);
                if (one != '\\') {
                    id.append(one);
                } else if (text.startsWith("u", ++i) && i + 4 < text.length()) {
                    id.append((char) Integer.parseInt(text, i + 1, i + 5, 16));
                    i += 4;
                } else {
                    id.append(text.charAt(i));
                }
            }
            return id.toString();
        }
    }
}
