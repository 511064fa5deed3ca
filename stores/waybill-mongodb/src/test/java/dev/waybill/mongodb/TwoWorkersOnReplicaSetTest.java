package dev.waybill.mongodb;

/** On a real replica set, where {@value MongoWorld#URI_VARIABLE} names one. */
@OnReplicaSet
class TwoWorkersOnReplicaSetTest extends TwoWorkersTest {
    @Override
    MongoWorld newWorld() {
        return MongoWorld.real();
    }
}
