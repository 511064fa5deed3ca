package dev.waybill.tck;

import dev.waybill.admin.ReplayAdmin;

/** An empty store that can replay. */
public interface ReplayHarness extends StoreHarness {
    ReplayAdmin replays();
}
