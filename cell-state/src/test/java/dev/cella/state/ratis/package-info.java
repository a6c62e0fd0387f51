/** Tests of the log on Ratis, with real files and fsyncs. */
package dev.cella.state.ratis;
