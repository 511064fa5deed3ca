package dev.waybill.example.license;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The payload of {@code license_status_changed}.
 *
 * @param status pending, verified or rejected
 * @param reason of a decision, if there is one
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record LicenseStatusChanged(
        String licenseId,
        long storeId,
        String status,
        @Nullable String reason) {
    static final String TYPE = "license_status_changed";
}
