package dev.cella.agent.keeper;

/**
 * The words between an agent and its keeper, a byte each, and what follows them. Both ends write with {@link
 * java.io.DataOutputStream}. A change of what a word means is another {@link #VERSION}: an agent that meets a keeper of
 * another version has it end its tasks and starts one of its own.
 *
 * <table>
 * <caption>The words</caption>
 * <tr><td>HELLO</td><td>agent: version, whether tasks outlive the agent; answered by KEPT</td></tr>
 * <tr><td>START</td><td>agent: a {@link KeptLaunch}; answered by STARTED or REFUSED, later ENDED</td></tr>
 * <tr><td>SIGNAL</td><td>agent: a mark and the name of a signal</td></tr>
 * <tr><td>FORGET</td><td>agent: a mark whose end the cell knows</td></tr>
 * <tr><td>RENEW</td><td>agent: the cell has renewed the machine's lease; how many milliseconds of it are left</td></tr>
 * <tr><td>STOP</td><td>agent: kill everything, and leave</td></tr>
 * <tr><td>KEPT</td><td>keeper: its version and every attempt that it has</td></tr>
 * <tr><td>STARTED</td><td>keeper: a mark</td></tr>
 * <tr><td>REFUSED</td><td>keeper: a mark and why it could not be started</td></tr>
 * <tr><td>ENDED</td><td>keeper: a mark and its {@link KeptEnd}</td></tr>
 * </table>
 */
final class Wire {
    static final int VERSION = 3;

    static final byte HELLO = 1;
    static final byte START = 2;
    static final byte SIGNAL = 3;
    static final byte FORGET = 4;
    static final byte RENEW = 5;
    static final byte STOP = 6;
    static final byte KEPT = 7;
    static final byte STARTED = 8;
    static final byte REFUSED = 9;
    static final byte ENDED = 10;

    private Wire() {}
}
