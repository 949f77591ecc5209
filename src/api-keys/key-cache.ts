import type { Store } from '../store/open-store.ts'
import { type FindKeyDeps, findKey, type PresentedKey } from './find-key.ts'
import { hashKey } from './key-format.ts'

type KeyCacheDeps = FindKeyDeps & Pick<Store, 'callersVersion'>

const KEYS_MAX = 10_000

/** Keys of requests, as they were read last. They hold until anything that decides about them has changed. */
export class KeyCache {
  readonly #deps: KeyCacheDeps
  /** By their hash: no key is kept in memory. */
  readonly #keys = new Map<string, PresentedKey>()
  #version: string | undefined

  constructor(deps: KeyCacheDeps) {
    this.#deps = deps
  }

  async find(text: string): Promise<PresentedKey | undefined> {
    const version = this.#deps.callersVersion()
    if (version === undefined) return findKey(this.#deps, text)
    if (version !== this.#version) this.#keys.clear()
    this.#version = version
    const hash = hashKey(text)
    const cached = this.#keys.get(hash)
    if (cached !== undefined) return cached
    const key = await findKey(this.#deps, text)
    // Something may have changed while it was read, or a change that it was read with may have been rolled back.
    if (key === undefined || this.#deps.callersVersion() !== version || this.#version !== version) return key
    if (this.#keys.size === KEYS_MAX) this.#keys.clear()
    this.#keys.set(hash, key)
    return key
  }
}
