import { RequestFailure } from '../request.ts'

// Loaded when a passkey is made or used: most visits do neither.
const webAuthn = () => import('@simplewebauthn/browser')

export const hasPasskeySupport = (): boolean => 'PublicKeyCredential' in window

/** What the device answers, in the form that the server checks; `options` are the server's own, passed through. */
export async function makePasskey(options: object): Promise<object> {
  const { startRegistration } = await webAuthn()
  return startRegistration({ optionsJSON: options as never })
}

export async function presentPasskey(options: object): Promise<object> {
  const { startAuthentication } = await webAuthn()
  return startAuthentication({ optionsJSON: options as never })
}

/** Why the device made or presented no passkey; undefined when it was the server that refused. */
export function deviceRefusal(error: Error | null): 'known' | 'refused' | undefined {
  if (error === null || error instanceof RequestFailure) return undefined
  return error.name === 'InvalidStateError' ? 'known' : 'refused'
}

/** What the person may call this device: its system is what they know it by. */
export function deviceName(userAgent: string): string {
  const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux']
  return systems.find((name) => userAgent.includes(name)) ?? ''
}
