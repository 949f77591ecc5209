import { createHash } from 'node:crypto'

/**
 * The index finds links by it, and whether the destinations are equal is checked afterwards. Cryptographic, so that nobody can
 * make many destinations with one hash; 48 bits, which a number holds.
 */
export const destinationHash = (href: string): number =>
  createHash('sha256').update(href).digest().readUIntBE(0, 6)
