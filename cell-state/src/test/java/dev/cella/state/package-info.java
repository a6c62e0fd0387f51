/**
 * Tests of a whole replica, with its log on Ratis and its store on RocksDB, in this process and in processes that are killed.
 */
package dev.cella.state;
