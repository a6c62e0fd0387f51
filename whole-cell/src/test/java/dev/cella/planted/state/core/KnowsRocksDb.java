package dev.cella.planted.state.core;

import org.rocksdb.Status;

final class KnowsRocksDb {
    Status.Code code(Status status) {
        return status.getCode();
    }
}
