/** product-service: products and prices. */
@NullMarked
package dev.waybill.example.polyshop.product;

import org.jspecify.annotations.NullMarked;
