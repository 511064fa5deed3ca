package dev.waybill.server.secrets;

import dev.waybill.spi.Printable;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * Finds words in a text, with each character plain or encoded: writers of addresses or JSON decide for each character whether to
 * encode it. A table by the first two characters gives the words that may begin at an index. These are compared character by
 * character in a loop, so that long words or texts do not overflow the stack.
 */
final class SecretSearch {
    private static final int SMALLEST_TABLE = 4_096;
    private static final int SLOTS_PER_WORD = 64;
    private static final int MOST_PLACES = 32;

    private final Word[][] byBeginning;
    private final Map<Integer, Word[]> byEncodedBeginning = new HashMap<>();

    /** A word to search. */
    private static final class Word {
        private final int[] characters;
        /** The plain form of each character. */
        private final String[][] plain;
        /** Whether only whole words count. */
        private final boolean bounded;

        Word(int[] characters, String[][] plain, boolean bounded) {
            this.characters = characters;
            this.plain = plain;
            this.bounded = bounded;
        }
    }

    private SecretSearch(Collection<String> texts, IntFunction<Set<String>> plain) {
        Map<Integer, String[]> forms = new HashMap<>();
        List<Word> words = new ArrayList<>();
        for (String text : texts) {
            words.add(word(text, SecretForms.isBounded(text), plain, forms));
            SecretForms.base64(text).forEach(encoded -> words.add(word(encoded, false, plain, forms)));
        }
        byBeginning = new Word[Integer.highestOneBit(Math.max(SMALLEST_TABLE, words.size() * SLOTS_PER_WORD))][];
        Arrays.fill(byBeginning, new Word[0]);
        words.forEach(this::add);
    }

    /** In texts. */
    static SecretSearch inText(Collection<String> words) {
        return new SecretSearch(words, character -> {
            String text = Character.toString(character);
            return new LinkedHashSet<>(List.of(text, Printable.whole(text)));
        });
    }

    /** In encoded text, with each byte as one character. */
    static SecretSearch inBytes(Collection<String> words, Collection<Charset> charsets) {
        return new SecretSearch(words, character -> {
            String text = Character.toString(character);
            Set<String> written = new LinkedHashSet<>();
            for (Charset charset : charsets) {
                written.add(new String(text.getBytes(charset), StandardCharsets.ISO_8859_1));
                written.add(new String(Printable.whole(text).getBytes(charset), StandardCharsets.ISO_8859_1));
            }
            return written;
        });
    }

    private static Word word(
            String text, boolean bounded, IntFunction<Set<String>> plain, Map<Integer, String[]> forms) {
        int[] characters = text.codePoints().toArray();
        String[][] written = new String[characters.length][];
        for (int i = 0; i < characters.length; i++) {
            written[i] = forms.computeIfAbsent(
                    characters[i], character -> plain.apply(character).toArray(String[]::new));
        }
        return new Word(characters, written, bounded);
    }

    private void add(Word word) {
        byEncodedBeginning.merge(word.characters[0], new Word[] {word}, SecretSearch::joined);
        Set<Integer> slots = new LinkedHashSet<>();
        for (String first : word.plain[0]) {
            if (first.length() > 1) {
                slots.add(slot(first.charAt(0), first.charAt(1)));
                continue;
            }
            for (char code : EncodedCharacter.BEGINNINGS) {
                slots.add(slot(first.charAt(0), code));
            }
            for (String second : word.plain[1]) {
                slots.add(slot(first.charAt(0), second.charAt(0)));
            }
        }
        slots.forEach(slot -> byBeginning[slot] = joined(byBeginning[slot], new Word[] {word}));
    }

    private static Word[] joined(Word[] some, Word[] others) {
        Word[] all = Arrays.copyOf(some, some.length + others.length);
        System.arraycopy(others, 0, all, some.length, others.length);
        return all;
    }

    private int slot(char first, char second) {
        return (first * 31 + second) & (byBeginning.length - 1);
    }

    /** Replaces every word. Overlapping words are replaced together. */
    String replaceIn(String text, String replacement) {
        StringBuilder replaced = new StringBuilder(text.length());
        int copied = 0;
        for (int at = 0; at < text.length() - 1 && copied < text.length(); at++) {
            if (at >= copied && text.startsWith(replacement, at)) {
                at += replacement.length() - 1; // what was replaced before has no word in it
                continue;
            }
            int end = longestAt(at, text);
            if (end > copied) {
                if (at >= copied) {
                    replaced.append(text, copied, at).append(replacement);
                }
                copied = end;
            }
        }
        return copied == 0 ? text : replaced.append(text, copied, text.length()).toString();
    }

    /** The end of the longest word that begins at the index; -1 if there is none. */
    private int longestAt(int at, String text) {
        int longest = -1;
        for (Word word : byBeginning[slot(text.charAt(at), text.charAt(at + 1))]) {
            longest = Math.max(longest, end(word, at, text));
        }
        EncodedCharacter first = EncodedCharacter.at(at, text);
        if (!first.isNone()) {
            for (Word word : byEncodedBeginning.getOrDefault(first.character(), new Word[0])) {
                longest = Math.max(longest, end(word, at, text));
            }
        }
        return longest;
    }

    private static int end(Word word, int at, String text) {
        if (word.bounded && !WordBoundary.isBefore(at, text)) {
            return -1;
        }
        int place = at;
        for (int i = 0; i < word.characters.length; i++) {
            if (place >= text.length()) {
                return -1;
            }
            if (word.plain[i].length > 1 || !EncodedCharacter.isPlain(text.charAt(place))) {
                return endOfRest(word, i, place, text);
            }
            if (!text.startsWith(word.plain[i][0], place)) {
                return -1;
            }
            place += word.plain[i][0].length();
        }
        return !word.bounded || WordBoundary.isAfter(place, text) ? place : -1;
    }

    /**
     * A backslash may be plain, or the first half of an escaped one: the comparison may continue at several indexes. If there are
     * too many, the rest of the text counts as found, which bounds the time and shows nothing.
     */
    private static int endOfRest(Word word, int from, int at, String text) {
        int[] places = {at};
        for (int i = from; i < word.characters.length && places.length > 0; i++) {
            places = after(places, word.characters[i], word.plain[i], text);
            if (places.length > MOST_PLACES) {
                return text.length();
            }
        }
        return Arrays.stream(places)
                .filter(end -> !word.bounded || WordBoundary.isAfter(end, text))
                .max()
                .orElse(-1);
    }

    /** The indexes after the character, if it is at one of these indexes. */
    private static int[] after(int[] places, int character, String[] plain, String text) {
        int[] next = new int[places.length * (plain.length + 1)];
        int count = 0;
        for (int place : places) {
            if (place >= text.length()) {
                continue;
            }
            for (String written : plain) {
                if (text.startsWith(written, place)) {
                    count = added(place + written.length(), next, count);
                }
            }
            EncodedCharacter encoded = EncodedCharacter.at(place, text);
            if (!encoded.isNone() && encoded.character() == character) {
                count = added(encoded.end(), next, count);
            }
        }
        return Arrays.copyOf(next, count);
    }

    private static int added(int place, int[] places, int count) {
        for (int i = 0; i < count; i++) {
            if (places[i] == place) {
                return count;
            }
        }
        places[count] = place;
        return count + 1;
    }
}
