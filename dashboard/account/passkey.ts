import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/browser'
import { RequestFailure } from '../api/request.ts'

// Loaded on first use, because most visits need no passkey.
const webAuthn = () => import('@simplewebauthn/browser')

export const hasPasskeySupport = (): boolean => 'PublicKeyCredential' in window

/** `options` come from the server and are passed through. */
export async function makePasskey(options: object): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await webAuthn()
  return startRegistration({ optionsJSON: options as never })
}

export async function presentPasskey(options: object): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await webAuthn()
  return startAuthentication({ optionsJSON: options as never })
}

/** Why the device did not create or present a passkey. Undefined for errors of the server. */
export function deviceRefusal(error: Error | null): 'known' | 'refused' | undefined {
  if (error === null || error instanceof RequestFailure) return undefined
  return error.name === 'InvalidStateError' ? 'known' : 'refused'
}

/** A suggested name for this device: its operating system. */
export function deviceName(userAgent: string): string {
  const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux']
  return systems.find((name) => userAgent.includes(name)) ?? ''
}
