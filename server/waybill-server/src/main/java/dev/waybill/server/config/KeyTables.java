package dev.waybill.server.config;

import java.util.Optional;

/** The keys of a block as a Markdown table, keys of inner blocks with their path. */
final class KeyTables {
    String table(Block block) {
        StringBuilder rows = new StringBuilder("| key | what | default | |\n|---|---|---|---|\n");
        append(rows, "", block);
        return rows.toString();
    }

    private void append(StringBuilder rows, String path, Block block) {
        for (Key<?> key : block.keys()) {
            Optional<Inner> inner = inner(key);
            boolean onlyInner = key.kind() instanceof Block;
            if (!onlyInner) {
                rows.append(row(path + key.name(), key, inner));
            }
            inner.ifPresent(found -> append(rows, path + key.name() + found.between(), found.block()));
        }
    }

    /**
     * @param between what stands between the key and the keys of the block
     */
    private record Inner(String between, Block block) {}

    private static Optional<Inner> inner(Key<?> key) {
        if (key.kind() instanceof Block block) {
            return Optional.of(new Inner(".", block));
        }
        if (key.kind() instanceof NameOr<?, ?> choice && choice.itself() instanceof Block block) {
            return Optional.of(new Inner(".", block));
        }
        if (key.kind() instanceof Items<?> items && items.each() instanceof Block block) {
            return Optional.of(new Inner("[].", block));
        }
        // Relays have a table of their own.
        if (key.kind() instanceof Named<?> named
                && named.each() instanceof Block block
                && !block.equals(RelayBlock.BLOCK)) {
            return Optional.of(new Inner(".NAME.", block));
        }
        return Optional.empty();
    }

    private static String row(String path, Key<?> key, Optional<Inner> inner) {
        String words = key.kind() instanceof NameOr<?, ?> choice && inner.isPresent()
                ? choice.name().words() + ", or a section"
                : key.kind().words();
        String standard = key.required()
                ? "required"
                : key.standard()
                        .map(text -> text.isEmpty() ? "empty" : "`" + text + "`")
                        .orElse("");
        return "| `" + path + "` | " + words + " | " + standard + " | " + key.doc() + " |\n";
    }
}
