package dev.waybill.registry;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** Checks that a payload can be deserialized to a Java type. */
final class JavaTypeCheck implements PayloadCheck {
    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(
                    LogicalType.Textual,
                    texts -> texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .build();

    private final Class<?> type;

    JavaTypeCheck(Class<?> type) {
        this.type = type;
    }

    @Override
    public List<Violation> violations(JsonNode payload) {
        try {
            STRICT.treeToValue(payload, type);
            return List.of();
        } catch (JacksonException e) {
            return List.of(new Violation(path(e), problem(e)));
        }
    }

    private static List<Object> path(JacksonException e) {
        List<Object> path = new ArrayList<>();
        for (JacksonException.Reference step : e.getPath()) {
            if (step.getPropertyName() != null) {
                path.add(step.getPropertyName());
            } else if (step.getIndex() >= 0) {
                path.add(step.getIndex());
            }
        }
        return path;
    }

    /** Without Jackson's messages, which quote values. */
    private String problem(JacksonException e) {
        if (e instanceof UnrecognizedPropertyException unknown) {
            return "is a property that " + unknown.getReferringClass().getSimpleName() + " does not have";
        }
        if (e instanceof ValueInstantiationException refused) {
            return "is refused by the constructor of "
                    + refused.getType().getRawClass().getSimpleName();
        }
        if (e instanceof MismatchedInputException mismatched && mismatched.getTargetType() != null) {
            return "cannot be read as " + mismatched.getTargetType().getSimpleName();
        }
        if (e instanceof InputCoercionException outOfRange && outOfRange.getTargetType() != null) {
            return "cannot be read as " + outOfRange.getTargetType().getSimpleName();
        }
        return "cannot be read as " + type.getSimpleName() + " (" + e.getClass().getSimpleName() + ")";
    }

    @Override
    public String toString() {
        return "Java type " + type.getName();
    }
}
