package dev.cella.transactions.model;

/**
 * The agent of a machine: its boot (another boot is another incarnation of the machine), the address at which it answers, and
 * the lease that it promises to renew.
 */
public record AgentIdentity(String bootId, String address, long leaseMillis) {
    private static final int TEXT_MAX = 253;

    public AgentIdentity {
        if (bootId.isEmpty() || bootId.length() > TEXT_MAX || address.length() > TEXT_MAX) {
            throw new IllegalArgumentException("an agent has a boot id and an address of at most " + TEXT_MAX);
        }
        if (leaseMillis <= 0) {
            throw new IllegalArgumentException("an agent's lease is above 0 ms: " + leaseMillis);
        }
    }
}
