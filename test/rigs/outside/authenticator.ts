import { isoCBOR } from '@simplewebauthn/server/helpers'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

type AuthenticatorOptions = { origin: string; isUserVerified?: boolean }

/** What a telephone or a key does with a passkey: one key pair on P-256, signatures counted (WebAuthn, level 3). */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #id = randomBytes(16)
  readonly #origin: string
  readonly #userFlags: number
  count = 0

  constructor({ origin, isUserVerified = true }: AuthenticatorOptions) {
    this.#origin = origin
    this.#userFlags = USER_PRESENT | (isUserVerified ? USER_VERIFIED : 0)
  }

  /** `navigator.credentials.create()` */
  create({ challenge, rp }: { challenge: string; rp: { id: string } }): object {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const cose = new Map<number, number | Uint8Array>([
      [1, 2], // elliptic curve
      [3, -7], // ES256
      [-1, 1], // P-256
      [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
    ])
    const idLength = Buffer.alloc(2)
    idLength.writeUInt16BE(this.#id.length)
    const credential = [Buffer.alloc(16), idLength, this.#id, Buffer.from(isoCBOR.encode(cose))]
    const authData = Buffer.concat([this.#head(rp.id, HAS_CREDENTIAL), ...credential])
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', new Uint8Array(authData)],
    ])
    return this.#answer({
      clientDataJSON: this.#clientData('webauthn.create', challenge),
      attestationObject: base64url(isoCBOR.encode(attestation as never)),
      transports: ['internal'],
    })
  }

  /** `navigator.credentials.get()` */
  get({ challenge, rpId }: { challenge: string; rpId: string }): object {
    this.count++
    const clientDataJSON = this.#clientData('webauthn.get', challenge)
    const authData = this.#head(rpId, 0)
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return this.#answer({
      clientDataJSON,
      authenticatorData: base64url(authData),
      signature: base64url(sign('sha256', signed, this.#keys.privateKey)),
    })
  }

  #head(rpId: string, flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.count)
    return Buffer.concat([sha256(rpId), Buffer.from([this.#userFlags | flags]), count])
  }

  #clientData(type: string, challenge: string): string {
    return base64url(JSON.stringify({ type, challenge, origin: this.#origin, crossOrigin: false }))
  }

  #answer(response: object): object {
    const id = base64url(this.#id)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }
}
