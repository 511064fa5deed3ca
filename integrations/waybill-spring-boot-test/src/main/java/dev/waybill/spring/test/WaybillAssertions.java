package dev.waybill.spring.test;

import dev.waybill.spring.SpringOutbox;

/** Assertions about an outbox itself: {@code assertThat(outbox).appended("order.placed").withKey("42")}. */
public final class WaybillAssertions {
    private WaybillAssertions() {}

    /** @throws IllegalArgumentException if the outbox is not in memory */
    public static AppendedEventsAssert assertThat(SpringOutbox outbox) {
        if (outbox instanceof InMemoryOutbox inMemory) {
            return new AppendedEventsAssert(inMemory.events());
        }
        throw new IllegalArgumentException(
                "The outbox is not in memory, so it does not know what was appended: annotate the"
                        + " test class with @WaybillTest, or read the table.");
    }

    public static AppendedEventsAssert assertThat(AppendedEvents appended) {
        return appended.assertThat();
    }
}
