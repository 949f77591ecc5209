import type { Timestamp } from './page-types.ts'
import type { ProviderView } from './single-sign-on-types.ts'
import type { MemberRole, WorkspacesView } from './workspace-types.ts'

/** Endpoints of signing up, signing in and one’s own account. Part of DashboardApi. */
export type AccountApi = {
  'GET /instance': { data: InstanceView }
  'POST /sign-up': {
    input: { name: string; email: string; password: string; invitation?: string }
    data: SignUpView
  }
  /** `workspace`: null if the operator has invited, to sign up only. */
  'POST /invitations/read': {
    input: { token: string }
    data: { email: string; workspace: { name: string; role: MemberRole; invited_by: string | null } | null }
  }
  'POST /verify-email': { input: { token: string }; data: { email: string } }
  'POST /verify-email/resend': { input: { email: string } }
  'POST /confirm-email': { input: { token: string }; data: { email: string } }
  'POST /forgot-password': { input: { email: string } }
  'POST /reset-password': { input: { token: string; password: string }; data: { email: string } }
  'POST /session': { input: { email: string; password: string; code?: string }; data: SignInView }
  'POST /session/passkey/options': { data: object }
  'POST /session/passkey': { input: { response: object }; data: SignInView }
  'GET /session': { data: MeView }
  'DELETE /session': {}
  'GET /sessions': { data: SessionView[] }
  'DELETE /sessions': {}
  'DELETE /sessions/{id}': {}
  'PUT /account': { input: { name: string }; data: MeView }
  'DELETE /account': { input: { password: string } }
  'POST /account/email': { input: { email: string; password: string } }
  'POST /account/password': { input: { password: string; new_password: string } }
  'POST /two-factor': { input: { password: string }; data: { secret: string; uri: string } }
  'POST /two-factor/confirm': { input: { code: string }; data: { recovery_codes: string[] } }
  'POST /two-factor/recovery-codes': { input: { password: string }; data: { recovery_codes: string[] } }
  'DELETE /two-factor': { input: { password: string } }
  'GET /passkeys': { data: PasskeyView[] }
  'POST /passkeys/options': { input: { password: string }; data: object }
  'POST /passkeys': { input: { name: string; response: object }; data: PasskeyView }
  'DELETE /passkeys/{id}': { input: { password: string } }
}

export type InstanceView = {
  base_url: string
  sign_up: 'open' | 'invite' | 'closed'
  /** Nobody has an account: the first user to sign up becomes the operator. */
  is_empty: boolean
  /** False: emails go to DATA_DIR/outbox, and their links to the operator's console. */
  sends_mail: boolean
  /** False: the operator has switched it off. */
  looks_at_destinations: boolean
  /** How long deleted links can be restored. */
  trash_days: number
  /** How long entries of the audit log are kept. */
  audit_days: number
  /** False if BASE_URL is an IP address, for which browsers allow no passkeys. */
  has_passkeys: boolean
  /** Of single sign-on. */
  providers: ProviderView[]
  /** Passwords and passkeys are for operators only, and nobody signs up with a password. */
  providers_only: boolean
}

/** True for the first account and with an invitation. All others get an email with the next step. */
type SignUpView = { is_signed_in: boolean }

/** `needs_code`: send the same again with a code of the authenticator app or a recovery code. */
type SignInView = { is_signed_in: boolean; needs_code: boolean }

export type MeView = WorkspacesView & {
  id: number
  name: string
  email: string
  is_verified: boolean
  role: 'user' | 'admin'
  plan: string
  /** False until the operator has assigned a plan. Until then, the dashboard does not mention plans. */
  has_plans: boolean
  /** For each key; null: no limit. */
  requests_per_hour: number | null
  /** How many links the workspace has and can have; null: any number. */
  links: { count: number; max: number } | null
  subscription: { status: string; expires_at: Timestamp | null }
  created_at: Timestamp
  /** `confirmed_until`: of this session; where no password is asked for, because there is none. Null: not confirmed. */
  security: {
    has_password: boolean
    has_two_factor: boolean
    recovery_codes_left: number
    passkeys: number
    confirmed_until: Timestamp | null
  }
}

export type SessionView = {
  id: number
  device: string
  created_at: Timestamp
  last_used_at: Timestamp
  is_this_one: boolean
}

export type PasskeyView = { id: number; name: string; created_at: Timestamp; last_used_at: Timestamp | null }
