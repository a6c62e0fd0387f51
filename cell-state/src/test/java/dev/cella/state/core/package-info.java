/** Tests of the core: under a simulated log, in one thread, in manual time. */
package dev.cella.state.core;
