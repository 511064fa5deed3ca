package dev.waybill.mongodb;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Skipped by name where the environment names no replica set; an assumption before all tests would be reported nowhere. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfEnvironmentVariable(
        named = MongoWorld.URI_VARIABLE,
        matches = ".+",
        disabledReason = "a MongoDB replica set is not installed here")
@interface OnReplicaSet {}
