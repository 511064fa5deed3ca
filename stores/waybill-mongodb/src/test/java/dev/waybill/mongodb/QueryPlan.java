package dev.waybill.mongodb;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * How an index serves a filter and a sort, by the rules of MongoDB's planner: equality on its first fields, then the sort, then
 * a range. The in-memory server has no such indexes.
 *
 * @param index its fields
 * @param bounds the part of the filter that the index is read by
 * @param residual fields of the filter that are looked at in each document
 */
record QueryPlan(BsonDocument index, BsonDocument bounds, Set<String> residual) {
    /** So many ranges the server can merge in order. */
    private static final int MOST_MERGED = 200;

    private static final Set<String> RANGES = Set.of("$lt", "$lte", "$gt", "$gte", "$ne", "$nin");
    private static final Set<String> UNIQUE = Set.of(Field.ID, Field.EVENT_ID);

    /** @return one plan for each branch of an $or at the top; nothing for a branch that no index serves */
    static List<Optional<QueryPlan>> of(BsonDocument filter, BsonDocument sort, List<BsonDocument> indexes) {
        if (filter.size() == 1 && filter.containsKey("$or")) {
            return filter.getArray("$or").stream()
                    .map(branch -> best(branch.asDocument(), sort, indexes))
                    .toList();
        }
        return List.of(best(filter, sort, indexes));
    }

    private static Optional<QueryPlan> best(BsonDocument filter, BsonDocument sort, List<BsonDocument> indexes) {
        Map<String, BsonValue> terms = new LinkedHashMap<>();
        flatten(filter, terms);
        return indexes.stream()
                .map(index -> by(index, terms, sort))
                .flatMap(Optional::stream)
                .min(Comparator.comparing(
                        plan -> UNIQUE.contains(plan.index.getFirstKey()) ? 0 : 1 + plan.residual.size()));
    }

    /** How many documents there are at most, where a unique index finds each by its value. */
    OptionalLong atMost() {
        String first = index.getFirstKey();
        return UNIQUE.contains(first) ? OptionalLong.of(points(bounds.get(first))) : OptionalLong.empty();
    }

    private static void flatten(BsonDocument filter, Map<String, BsonValue> terms) {
        filter.forEach((field, condition) -> {
            if (field.equals("$and")) {
                condition.asArray().forEach(each -> flatten(each.asDocument(), terms));
            } else {
                terms.merge(field, condition, QueryPlan::both);
            }
        });
    }

    private static BsonValue both(BsonValue one, BsonValue other) {
        BsonDocument both = new BsonDocument();
        for (BsonValue each : List.of(one, other)) {
            both.putAll(each.isDocument() ? each.asDocument() : new BsonDocument("$also", each));
        }
        return both;
    }

    private static Optional<QueryPlan> by(BsonDocument index, Map<String, BsonValue> terms, BsonDocument sort) {
        List<String> keys = List.copyOf(index.getDocument("key").keySet());
        if (!holdsAll(index, terms)) {
            return Optional.empty();
        }
        BsonDocument bounds = new BsonDocument();
        int position = 0;
        int merged = 1;
        while (position < keys.size() && points(terms.get(keys.get(position))) > 0) {
            merged *= points(terms.get(keys.get(position)));
            bounds.append(keys.get(position), terms.get(keys.get(position)));
            position++;
        }
        boolean few = UNIQUE.contains(keys.get(0)) && position > 0;
        List<String> order = new ArrayList<>(sort.keySet());
        order.removeIf(field -> bounds.containsKey(field) && points(terms.get(field)) == 1);
        boolean sorted = position + order.size() <= keys.size()
                && keys.subList(position, position + order.size()).equals(order)
                && (order.isEmpty() || merged <= MOST_MERGED);
        for (int i = position; i <= position + order.size() && i < keys.size(); i++) {
            if (isRange(terms.get(keys.get(i)))) {
                bounds.append(keys.get(i), terms.get(keys.get(i)));
            }
        }
        if (bounds.isEmpty() || !(sorted || few)) {
            return Optional.empty();
        }
        Set<String> residual = new LinkedHashSet<>(terms.keySet());
        residual.removeAll(bounds.keySet());
        return Optional.of(new QueryPlan(index.getDocument("key"), bounds, residual));
    }

    /** A partial index serves a filter that asks for its field. */
    private static boolean holdsAll(BsonDocument index, Map<String, BsonValue> terms) {
        return index.getDocument("partialFilterExpression", new BsonDocument()).keySet().stream()
                .map(terms::get)
                .allMatch(term -> (isRange(term) && !term.toString().contains("$n"))
                        || (points(term) > 0 && !term.toString().contains("BsonNull")));
    }

    /** How many values are asked for; 0 when it is no question for equality. */
    private static int points(BsonValue condition) {
        if (condition == null) {
            return 0;
        }
        if (!condition.isDocument() || !condition.asDocument().getFirstKey().startsWith("$")) {
            return 1;
        }
        BsonDocument operators = condition.asDocument();
        if (operators.containsKey("$in")) {
            return operators.getArray("$in").size();
        }
        return operators.containsKey("$eq") ? 1 : 0;
    }

    private static boolean isRange(BsonValue condition) {
        return condition != null
                && condition.isDocument()
                && RANGES.containsAll(condition.asDocument().keySet());
    }
}
