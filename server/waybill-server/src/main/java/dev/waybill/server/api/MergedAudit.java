package dev.waybill.server.api;

import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.StoreAdmin;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The audits of several stores as one, newest first. Each store is read page by page, along its own order; the cursor of the whole
 * has a cursor for each store.
 */
final class MergedAudit {
    private static final int PAGE = 200;

    private final Map<String, OfStore> stores = new LinkedHashMap<>();
    private final Map<String, String> cursors;

    record Entry(String store, AuditEntry entry) {}

    /** @param after the cursor of the previous page */
    MergedAudit(Optional<String> after) {
        cursors = after.map(MergedAudit::parse).orElseGet(LinkedHashMap::new);
    }

    /** Adds the audit of a store, and reads its first page. */
    void add(String store, StoreAdmin admin) {
        OfStore one = new OfStore(admin, Optional.ofNullable(cursors.get(store)));
        one.fill();
        stores.put(store, one);
    }

    /** The newest of the remaining entries; empty at the end. */
    Optional<Entry> next() {
        Optional<Map.Entry<String, OfStore>> newest = stores.entrySet().stream()
                .filter(each -> !each.getValue().read.isEmpty())
                .max(Comparator.comparing(
                        each -> each.getValue().read.getFirst().at()));
        return newest.map(of -> {
            AuditEntry entry = of.getValue().take();
            cursors.put(of.getKey(), entry.cursor());
            return new Entry(of.getKey(), entry);
        });
    }

    /** Where to read on; empty at the end. */
    Optional<String> cursor() {
        if (stores.values().stream().allMatch(each -> each.read.isEmpty())) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder();
        cursors.forEach((store, cursor) ->
                text.append(store).append('\t').append(cursor).append('\n'));
        return Optional.of(Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static Map<String, String> parse(String cursor) {
        try {
            Map<String, String> cursors = new LinkedHashMap<>();
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            for (String line : text.lines().toList()) {
                String[] parts = line.split("\t", 2);
                cursors.put(parts[0], parts[1]);
            }
            return cursors;
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw Json.bad("after is not the next of a page.");
        }
    }

    /** What is left of one store. */
    private static final class OfStore {
        private final StoreAdmin admin;
        private final Deque<AuditEntry> read = new ArrayDeque<>();
        private Optional<String> last;
        private boolean more = true;

        OfStore(StoreAdmin admin, Optional<String> after) {
            this.admin = admin;
            this.last = after;
        }

        void fill() {
            if (read.isEmpty() && more) {
                try {
                    read.addAll(admin.audit(last, PAGE));
                } catch (IllegalArgumentException e) {
                    throw Json.bad("after is not the next of a page.");
                }
                more = read.size() == PAGE;
            }
        }

        AuditEntry take() {
            AuditEntry entry = read.removeFirst();
            last = Optional.of(entry.cursor());
            fill();
            return entry;
        }
    }
}
