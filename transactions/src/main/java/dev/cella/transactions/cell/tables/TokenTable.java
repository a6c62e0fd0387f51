package dev.cella.transactions.cell.tables;

import dev.cella.transactions.cell.pages.TableDigest;
import dev.cella.transactions.model.Digests;
import dev.cella.transactions.model.Token;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of the cell by name. Owned by the thread that applies.
 *
 * <p>The doors look up a token with every request, on threads that must not wait for the cell. So the tokens by their hashes
 * are in a concurrent map. A snapshot can have many tokens, and each is put by itself, so a put costs the same at any number.
 */
public final class TokenTable {
    private static final int TOKEN = 5;

    /** The digest of the policies. Tokens are policy, and one more digest would change every snapshot. */
    private final TableDigest digest;

    private final Map<String, Token> tokens = new TreeMap<>();
    private final Map<String, Token> byHash = new ConcurrentHashMap<>();
    private final Map<String, Token> shownByHash = Collections.unmodifiableMap(byHash);

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
        return shownByHash;
    }

    public void put(Token token) {
        Token before = tokens.put(token.name(), token);
        digest.moved(Digests.of(token.name()), TOKEN, before == null ? 0 : digestOf(before), digestOf(token));
        byHash.put(token.hash(), token);
        if (before != null && !before.hash().equals(token.hash())) {
            byHash.remove(before.hash(), before);
        }
    }

    void revoke(String name) {
        Token revoked = tokens.remove(name);
        if (revoked != null) {
            digest.moved(Digests.of(name), TOKEN, digestOf(revoked), 0);
            byHash.remove(revoked.hash(), revoked);
        }
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
