@NullMarked
package dev.cella.client.http;

import org.jspecify.annotations.NullMarked;
