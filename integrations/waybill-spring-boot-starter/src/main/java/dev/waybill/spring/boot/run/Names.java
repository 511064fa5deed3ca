package dev.waybill.spring.boot.run;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Names in a configuration. */
final class Names {
    private Names() {}

    /** As it is written in a configuration. */
    static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * A name that was given, or the only one there is.
     *
     * @param key the property that gives it
     * @param what is named
     */
    static Optional<String> chosen(String key, String what, @Nullable String given, Choice among, Mistakes mistakes) {
        if (given != null) {
            if (among.known().contains(given)) {
                return Optional.of(given);
            }
            mistakes.add(key, "is \"" + given + "\", but there is no such " + what + ": use one of " + among.known());
            return Optional.empty();
        }
        if (among.defaults().size() == 1) {
            return Optional.of(among.defaults().iterator().next());
        }
        mistakes.add(
                key,
                among.defaults().isEmpty()
                        ? "there is no " + what + " to choose from: " + among.ifNone()
                        : "there are several to choose from, " + among.defaults() + ": set it to one of them");
        return Optional.empty();
    }

    /**
     * What can be chosen.
     *
     * @param known names that can be given
     * @param defaults names from which one is taken if none is given
     * @param ifNone what to do if there is none
     */
    record Choice(Collection<String> known, Collection<String> defaults, String ifNone) {}
}
