package dev.waybill.tck;

/**
 * The contract of stores. A store is complete when its subclass of this passes:
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
 * The contract is split into classes, each extending the previous one, so that a store needs one subclass and a failure
 * is reported under the store's own name.
 */
public abstract class StoreContract extends FaultContract {
    /** A store without events and relays, for one test. */
    @Override
    protected abstract StoreHarness newStore();
}
