const KEY_BYTES = 16

/** Without HTTPS, crypto.randomUUID exists on localhost only. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
