package dev.waybill.server.config;

import dev.waybill.server.secrets.Secrets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Results of reading the file: mistakes, secrets to hide from then on, and the lines of keys. */
final class Findings {
    private final References references;
    private final Secrets secrets;
    private final List<Mistake> mistakes = new ArrayList<>();
    private final Map<String, Place> places = new HashMap<>();
    private final Map<String, String> sources = new HashMap<>();
    private final Map<String, String> written = new HashMap<>();

    Findings(References references, Secrets secrets) {
        this.references = references;
        this.secrets = secrets;
    }

    References references() {
        return references;
    }

    Secrets secrets() {
        return secrets;
    }

    Place remember(Place place) {
        places.put(place.path(), place);
        return place;
    }

    Optional<Place> placeOf(String path) {
        return Optional.ofNullable(places.get(path));
    }

    /**
     * The value at the path comes from variables or files.
     *
     * @param reference as it is written in the file
     */
    void comesFrom(String path, String source, String reference) {
        sources.put(path, source);
        written.put(path, reference);
    }

    /** The value at the path as it is now; empty if it is not a reference, or if its file cannot be read. */
    Optional<String> readAgain(String path) {
        return Optional.ofNullable(written.get(path))
                .flatMap(Place.top(new Findings(references, secrets))::expand)
                .map(Expansion::text);
    }

    Optional<String> sourceOf(String path) {
        return Optional.ofNullable(sources.get(path));
    }

    void add(Mistake mistake) {
        mistakes.add(mistake);
    }

    /** Whether nothing is wrong at this path or below it. */
    boolean isSound(String path) {
        return mistakes.stream()
                .map(Mistake::path)
                .noneMatch(wrong -> path.isEmpty()
                        || wrong.equals(path)
                        || wrong.startsWith(path + ".")
                        || wrong.startsWith(path + "["));
    }

    /** In the order of the file. The same mistake in a variable is told once, at the first place that refers to it. */
    List<Mistake> mistakes() {
        Set<String> told = new HashSet<>();
        return mistakes.stream()
                .sorted(Comparator.comparingInt(Mistake::line))
                .filter(mistake -> sourceOf(mistake.path()).isEmpty() || told.add(mistake.what()))
                .map(mistake -> new Mistake(mistake.line(), mistake.path(), secrets.hide(mistake.what())))
                .toList();
    }
}
