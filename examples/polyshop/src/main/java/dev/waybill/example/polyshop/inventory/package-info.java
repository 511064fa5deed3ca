/** inventory-service: stock and its movements. */
@NullMarked
package dev.waybill.example.polyshop.inventory;

import org.jspecify.annotations.NullMarked;
