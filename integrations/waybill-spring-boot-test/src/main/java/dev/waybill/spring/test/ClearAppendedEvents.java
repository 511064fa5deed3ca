package dev.waybill.spring.test;

import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;

/** Lets each test begin without events, though tests share an application context. */
class ClearAppendedEvents implements TestExecutionListener, Ordered {
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE + 1_000;
    }

    @Override
    public void beforeTestMethod(TestContext context) {
        if (context.hasApplicationContext()) {
            context.getApplicationContext()
                    .getBeanProvider(AppendedEvents.class)
                    .ifAvailable(AppendedEvents::clear);
        }
    }
}
