import { QueryClient } from '@tanstack/react-query'
import type { MeView } from '../../src/http/endpoints/browser-types.ts'
import { SESSION, type Session } from '../use-session.ts'

const WORKSPACE = {
  id: 1,
  name: 'Northlight Supply',
  role: 'owner',
  members: 12,
  requires_second_factor: false,
} as const

const ANOTHER = { ...WORKSPACE, id: 2, name: 'Ada’s own', role: 'editor', members: 1 } as const

/** The owner of a workspace with members, so that everything is there. */
const USER: MeView = {
  ...{ id: 1, name: 'Ada Lovelace', email: 'ada@example.com', is_verified: true, role: 'admin' },
  ...{
    plan: 'free',
    has_plans: false,
    requests_per_hour: null,
    links: null,
    created_at: '2026-01-01T00:00:00.000000Z',
  },
  subscription: { status: 'active', expires_at: null },
  security: {
    ...{ has_password: true, has_two_factor: true, recovery_codes_left: 10, passkeys: 1 },
    confirmed_until: null,
  },
  ...{ workspace: WORKSPACE, workspaces: [WORKSPACE, ANOTHER], is_alone: false, needs_two_factor: false },
  domains: ['nls.example', 'go.northlight.example'],
  can: ['links:read', 'links:create', 'links:write', 'tags:write', 'workspace:write', 'domains:write'],
}

const SIGNED_IN: Session = {
  user: USER,
  instance: {
    ...{ base_url: 'https://nls.example', sign_up: 'invite', is_empty: false, sends_mail: true },
    ...{ looks_at_destinations: true, trash_days: 30, audit_days: 400, has_passkeys: true },
    ...{ providers: [], providers_only: false },
  },
}

/** Without a server: what was not set stays as it is while it loads. */
export function galleryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: { queries: { enabled: false, staleTime: Number.POSITIVE_INFINITY } },
  })
  client.setQueryData(SESSION, SIGNED_IN)
  return client
}
