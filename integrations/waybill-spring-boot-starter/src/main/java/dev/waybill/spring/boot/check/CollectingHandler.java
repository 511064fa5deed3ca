package dev.waybill.spring.boot.check;

import dev.waybill.spring.boot.properties.WaybillProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.AbstractBindHandler;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Notes what cannot be bound and goes on with the default. When everything is bound, the whole is checked, and all mistakes are
 * thrown together.
 */
final class CollectingHandler extends AbstractBindHandler {
    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of(WaybillProperties.PREFIX);

    private final BiFunction<WaybillProperties, WrittenKeys, List<Mistake>> check;
    private final List<Mistake> mistakes = new ArrayList<>();
    private final WrittenKeys written = new WrittenKeys();

    CollectingHandler(BindHandler parent, BiFunction<WaybillProperties, WrittenKeys, List<Mistake>> check) {
        super(parent);
        this.check = check;
    }

    @Override
    public @Nullable Object onSuccess(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
        if (ROOT.isAncestorOf(name) && context.getConfigurationProperty() != null) {
            written.add(name);
        }
        return super.onSuccess(name, target, context, result);
    }

    @Override
    public @Nullable Object onFailure(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) throws Exception {
        if (!ROOT.isAncestorOf(name) || context.getConfigurationProperty() == null) {
            return super.onFailure(name, target, context, error);
        }
        written.add(name);
        mistakes.add(new Mistake(name.toString(), Expectation.of(target)));
        return null;
    }

    @Override
    public void onFinish(
            ConfigurationPropertyName name, Bindable<?> target, BindContext context, @Nullable Object result)
            throws Exception {
        try {
            super.onFinish(name, target, context, result);
        } catch (UnboundConfigurationPropertiesException e) {
            if (!name.equals(ROOT)) {
                throw e;
            }
            e.getUnboundProperties().forEach(property -> unknown(property.getName()));
        }
        if (name.equals(ROOT)) {
            if (result instanceof WaybillProperties properties) {
                mistakes.addAll(check.apply(properties, written));
            }
            if (!mistakes.isEmpty()) {
                throw new InvalidConfigurationException(
                        mistakes.stream().distinct().toList());
            }
        }
    }

    /** What failed is also unbound, and reported already. */
    private void unknown(ConfigurationPropertyName name) {
        boolean reported = mistakes.stream()
                .map(mistake -> ConfigurationPropertyName.of(mistake.path()))
                .anyMatch(failed -> failed.equals(name) || failed.isAncestorOf(name));
        if (!reported) {
            mistakes.add(new Mistake(name.toString(), KnownKeys.unknown(name)));
        }
    }
}
