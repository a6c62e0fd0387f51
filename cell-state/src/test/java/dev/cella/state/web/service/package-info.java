/** Tests of the classes behind the doors. */
@NullMarked
package dev.cella.state.web.service;

import org.jspecify.annotations.NullMarked;
