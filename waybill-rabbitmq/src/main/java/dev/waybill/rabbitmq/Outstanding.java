package dev.waybill.rabbitmq;

import java.util.function.Consumer;

/** What one subscription has got and not acknowledged, in messages and bytes. Safe for many threads. */
final class Outstanding {
    private final Prefetch prefetch;
    private final Consumer<String> whenTooMuch;
    private int messages;
    private long bytes;
    private boolean over;

    /** @param whenTooMuch is told why the subscription must end, once */
    Outstanding(Prefetch prefetch, Consumer<String> whenTooMuch) {
        this.prefetch = prefetch;
        this.whenTooMuch = whenTooMuch;
    }

    /**
     * @return false when it is not to be kept: the subscription ends, and the message comes again
     */
    synchronized boolean add(RabbitMessage message) {
        if (over) {
            return false;
        }
        messages++;
        bytes += message.bytes();
        over = prefetch.isTooMuch(bytes);
        if (over) {
            whenTooMuch.accept(prefetch.shrink(messages, bytes));
        }
        return !over;
    }

    synchronized void remove(RabbitMessage message) {
        messages--;
        bytes -= message.bytes();
    }
}
