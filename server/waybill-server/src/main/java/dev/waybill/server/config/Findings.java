package dev.waybill.server.config;

import dev.waybill.server.secrets.Secrets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What turned up while the file was read: mistakes, and secrets that are not shown from then on. */
final class Findings {
    private final References references;
    private final List<Mistake> mistakes = new ArrayList<>();
    private final Secrets secrets;

    Findings(References references, Secrets secrets) {
        this.references = references;
        this.secrets = secrets;
    }

    References references() {
        return references;
    }

    void add(Mistake mistake) {
        mistakes.add(mistake);
    }

    Secrets secrets() {
        return secrets;
    }

    int count() {
        return mistakes.size();
    }

    /** In the order of the file. */
    List<Mistake> mistakes() {
        return mistakes.stream()
                .map(mistake -> new Mistake(mistake.line(), mistake.path(), secrets.hide(mistake.what())))
                .sorted(Comparator.comparingInt(Mistake::line))
                .toList();
    }
}
