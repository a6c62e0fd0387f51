/** Tests of the store on RocksDB, with real files. */
package dev.cella.state.rocksdb;
