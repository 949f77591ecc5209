// Loaded when a passkey is made or used: most visits do neither.
const webAuthn = () => import('@simplewebauthn/browser')

type Options = Record<string, unknown>

/** What the device answers, in the form that the server checks. */
export async function makePasskey(options: Options): Promise<unknown> {
  const { startRegistration } = await webAuthn()
  return startRegistration({ optionsJSON: options as never })
}

export async function presentPasskey(options: Options): Promise<unknown> {
  const { startAuthentication } = await webAuthn()
  return startAuthentication({ optionsJSON: options as never })
}
