/** search-service: an index of products. */
@NullMarked
package dev.waybill.example.polyshop.search;

import org.jspecify.annotations.NullMarked;
