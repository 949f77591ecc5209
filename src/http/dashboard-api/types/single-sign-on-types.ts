/** A part of DashboardApi: single sign-on. */
export type SingleSignOnApi = {
  /** Sets a cookie, and answers where to go. */
  'POST /session/provider': { input: { provider: string }; data: { url: string } }
  /** `query`: with which the provider has sent the browser to `/dashboard/single-sign-on/{provider}`. */
  'POST /session/provider/return': {
    input: { provider: string; query: string }
    data: { outcome: 'signed-in' | 'needs-code' | 'linked' }
  }
  /** After `needs-code`: a code of the authenticator app or a recovery code. */
  'POST /session/provider/code': { input: { code: string } }

  /** Confirms that it is the signed-in user: in place of the password, for ten minutes, for those who have none. */
  'POST /session/confirm/provider': { input: { provider: string }; data: { url: string } }
  'POST /session/confirm/provider/return': { input: { provider: string; query: string } }
  /** After `POST /session/passkey/options`. */
  'POST /session/confirm/passkey': { input: { response: object } }

  /** `linkable`: the providers at which the user has no identity. */
  'GET /identities': {
    data: { identities: IdentityView[]; linkable: ProviderView[] }
  }
  /** Begins as a sign-in does, and links the identity to the user. */
  'POST /identities': { input: { provider: string; password: string }; data: { url: string } }
  'DELETE /identities': { input: { issuer: string; password: string } }
}

export type ProviderView = { id: string; name: string }

/** `email`: at the provider, as it said last. */
export type IdentityView = {
  issuer: string
  name: string
  email: string
  created_at: string
  last_used_at: string
}
