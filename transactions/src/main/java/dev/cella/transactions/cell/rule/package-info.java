/**
 * The conflict rule: decides a transaction against the tables and writes nothing.
 *
 * <p>Start reading at {@code CommitRule}, which keeps the order of SEMANTICS section 5: {@code WholeRule}, {@code StepRule}
 * (with {@code UpgradeRule} and {@code CopyRule}), {@code EvictionRule}, {@code ClaimRule} (with {@code PlainClaims}, its fast
 * path, {@code QueueRule} for queue rows, {@code SpareRule} for spare work, and {@code QuotaRule}), {@code HoldRule}, {@code
 * ScaleRule} (with {@code GrantedSizes}, the tasks of jobs so far) and {@code AtomicityRule}. {@code Decision} has the results
 * so far; {@code Winners} knows who committed first, which decides whether a refusal is a conflict. The room may use {@code
 * tables}.
 */
@NullMarked
package dev.cella.transactions.cell.rule;

import org.jspecify.annotations.NullMarked;
