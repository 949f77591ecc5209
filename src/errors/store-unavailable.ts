/** Thrown when the store, or something else that a commit needs, is temporarily unavailable. */
export class StoreUnavailable extends Error {}
