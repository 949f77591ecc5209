/** Thrown where the store, or something else that a commit needs, can do nothing of the kind just then. */
export class StoreUnavailable extends Error {}
