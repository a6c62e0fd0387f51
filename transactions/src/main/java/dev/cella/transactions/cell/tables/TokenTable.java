package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Token;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the cell by name. Owned by the thread that applies.
 *
 * <p>The doors look up a token with every request, on threads that must not wait for the cell. So the tokens by their hashes
 * are a map that never changes and is replaced as a whole: there are few tokens, and they change seldom. A snapshot may have
 * many of them, so a load replaces the map once for many tokens.
 */
public final class TokenTable {
    private static final int TOKEN = 5;

    /** The digest of the policies. Tokens are policy, and one more digest would change every snapshot. */
    private final TableDigest digest;

    private final Map<String, Token> tokens = new TreeMap<>();
    private volatile Map<String, Token> byHash = Map.of();

    TokenTable(TableDigest digest) {
        this.digest = digest;
    }

    public Collection<Token> all() {
        return tokens.values();
    }

    public int count() {
        return tokens.size();
    }

    @Nullable
    public Token find(String name) {
        return tokens.get(name);
    }

    /** Any thread may call this. */
    public Map<String, Token> byHash() {
        return byHash;
    }

    public void put(Token token) {
        load(token);
        show();
    }

    /** Puts a token that other threads may not see before {@link #show}. */
    public void load(Token token) {
        Token before = tokens.put(token.name(), token);
        digest.moved(Digests.of(token.name()), TOKEN, before == null ? 0 : digestOf(before), digestOf(token));
    }

    void revoke(String name) {
        Token revoked = tokens.remove(name);
        if (revoked != null) {
            digest.moved(Digests.of(name), TOKEN, digestOf(revoked), 0);
            show();
        }
    }

    /** Shows the tokens as they are now to other threads. */
    public void show() {
        Map<String, Token> next = new HashMap<>();
        tokens.values().forEach(token -> next.put(token.hash(), token));
        byHash = Collections.unmodifiableMap(next);
    }

    private static long digestOf(Token token) {
        long digest = Digests.mix(Digests.of(token.hash()), token.expiresAtMillis());
        for (String scope : token.scopes()) {
            digest = Digests.mix(digest, Digests.of(scope));
        }
        digest = Digests.mix(digest, token.scopes().size());
        for (String pool : token.pools()) {
            digest = Digests.mix(digest, Digests.of(pool));
        }
        return digest;
    }
}
