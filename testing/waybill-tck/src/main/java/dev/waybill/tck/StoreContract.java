package dev.waybill.tck;

/**
 * What a store is. A store is done when its subclass of this passes:
 *
 * <pre>{@code
 * class MyStoreContractTest extends StoreContract {
 *     @Override
 *     protected StoreHarness newStore() {
 *         return new MyStoreHarness();
 *     }
 * }
 * }</pre>
 *
 * The contract is written in chapters, one class each, every one extending the one before: so a store's subclass stays one
 * class, and a failure is reported under that store's own name.
 */
public abstract class StoreContract extends FaultContract {
    /** A store without events and relays, for one test. */
    @Override
    protected abstract StoreHarness newStore();
}
