package dev.waybill.spring.boot.check;

import dev.waybill.spring.boot.properties.WaybillProperties;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindHandlerAdvisor;
import org.springframework.boot.context.properties.bind.BindHandler;

/** Makes the binding of {@code waybill.*} go on after a mistake, so that all mistakes are reported together. */
public final class CollectMistakes implements ConfigurationPropertiesBindHandlerAdvisor {
    private final ListableBeanFactory beans;

    public CollectMistakes(ListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public BindHandler apply(BindHandler handler) {
        return new CollectingHandler(handler, this::check);
    }

    private List<Mistake> check(WaybillProperties properties, WrittenKeys written) {
        return new ConfigurationCheck(properties, written, new KnownBeans(beans)).mistakes();
    }
}
