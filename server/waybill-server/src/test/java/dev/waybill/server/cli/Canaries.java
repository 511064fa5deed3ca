package dev.waybill.server.cli;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Secrets that stand nowhere else, and a search for them. */
final class Canaries {
    private static final String LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789";
    private static final int LENGTH = 16;

    private final Random random;
    private final Map<String, String> places = new LinkedHashMap<>();

    Canaries(long seed) {
        random = new Random(seed);
    }

    /** A new one, of letters and digits only: it looks the same in an address. */
    synchronized String plain(String place) {
        StringBuilder core = new StringBuilder("Cn");
        for (int i = 0; i < LENGTH; i++) {
            core.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        places.put(core.toString(), place);
        return core.toString();
    }

    /** A new one with characters that are written in other ways in addresses, JSON and YAML. */
    String awkward(String place) {
        return plain(place) + "/+\"'=%&";
    }

    String encoded(String place) {
        return URLEncoder.encode(awkward(place), StandardCharsets.UTF_8);
    }

    /** A secret that was made by others. */
    synchronized void note(String place, String core) {
        places.put(core, place);
    }

    /** Where the secrets were planted that are found in the text, raw, encoded or in base64 at any offset. */
    synchronized List<String> in(String text) {
        List<String> found = new ArrayList<>();
        places.forEach((core, place) -> {
            if (text.contains(core)) {
                found.add(place + " as it is");
            }
            for (int offset = 0; offset < 3; offset++) {
                String encoded = Base64.getEncoder()
                        .encodeToString(("x".repeat(offset) + core).getBytes(StandardCharsets.UTF_8));
                if (text.contains(encoded.substring(4, 4 + LENGTH))) {
                    found.add(place + " in base64");
                }
            }
        });
        return found;
    }
}
