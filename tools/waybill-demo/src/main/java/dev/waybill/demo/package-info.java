/** The main job on embedded servers: a small order service, a relay, a consumer, and a judge. */
@NullMarked
package dev.waybill.demo;

import org.jspecify.annotations.NullMarked;
