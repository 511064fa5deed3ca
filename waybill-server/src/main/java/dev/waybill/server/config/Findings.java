package dev.waybill.server.config;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What turned up while the file was read: mistakes, and secrets that must not be shown. */
final class Findings {
    /** A shorter one would make holes in every text. */
    private static final int SHORTEST_SECRET = 4;

    private final References references;
    private final List<Mistake> mistakes = new ArrayList<>();
    private final Set<String> secrets = new LinkedHashSet<>();

    Findings(References references) {
        this.references = references;
    }

    References references() {
        return references;
    }

    void add(Mistake mistake) {
        mistakes.add(mistake);
    }

    void addSecret(String secret) {
        if (secret.length() >= SHORTEST_SECRET) {
            secrets.add(secret);
        }
    }

    int count() {
        return mistakes.size();
    }

    /** In the order of the file. */
    List<Mistake> mistakes() {
        return mistakes.stream()
                .map(mistake -> new Mistake(mistake.line(), mistake.path(), withoutSecrets(mistake.what())))
                .sorted(Comparator.comparingInt(Mistake::line))
                .toList();
    }

    Set<String> secrets() {
        return Set.copyOf(secrets);
    }

    private String withoutSecrets(String text) {
        return Hiding.hide(text, secrets);
    }
}
