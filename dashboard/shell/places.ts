import {
  ChartColumn,
  Globe,
  KeyRound,
  Link2,
  type LucideIcon,
  ScrollText,
  ShieldCheck,
  SlidersHorizontal,
  Tags,
  Trash2,
  UserRound,
  Users,
} from 'lucide-react'
import type { MeView } from '../../src/http/endpoints/browser-types.ts'
import { strings } from '../strings.ts'

/** `key`: after G, from any page. */
export type NavItem = { path: string; label: string; icon: LucideIcon; key?: string }

const { nav } = strings

/** In the order of the side bar. These come first, for everybody. */
export const MAIN_PLACES: NavItem[] = [
  { path: '/', label: nav.links, icon: Link2, key: 'l' },
  { path: '/overview', label: nav.overview, icon: ChartColumn, key: 'o' },
]

/** In the side bar, and behind More on a phone. */
export const LINK_PLACES: NavItem[] = [
  { path: '/tags', label: nav.labels, icon: Tags },
  { path: '/trash', label: nav.trash, icon: Trash2 },
]

type WorkspacePlace = NavItem & {
  /** What the page needs. */
  action?: MeView['can'][number]
  /** Not for somebody who is alone. */
  isShared?: boolean
}

export const DOMAINS: WorkspacePlace = {
  path: '/domains',
  label: nav.domains,
  icon: Globe,
  key: 'd',
  action: 'domains:write',
}

const WORKSPACE_PLACES: WorkspacePlace[] = [
  DOMAINS,
  { path: '/members', label: nav.members, icon: Users, key: 'm', action: 'members:manage', isShared: true },
  { path: '/keys', label: nav.keys, icon: KeyRound, key: 'k', action: 'links:read' },
  { path: '/audit-log', label: nav.auditLog, icon: ScrollText, action: 'audit:read', isShared: true },
  { path: '/settings', label: nav.settings, icon: SlidersHorizontal, key: 's' },
]
export const ACCOUNT: NavItem = { path: '/account', label: nav.account, icon: UserRound }
export const ADMIN: NavItem = { path: '/admin', label: nav.admin, icon: ShieldCheck }

/** Pages about the workspace, as far as the role allows them. */
export const workspacePlaces = ({ can, is_alone: isAlone }: Pick<MeView, 'can' | 'is_alone'>): NavItem[] =>
  WORKSPACE_PLACES.filter(
    ({ action, isShared }) => !(isShared && isAlone) && (action === undefined || can.includes(action)),
  )

/** All pages of the side bar but the operator's. */
export const placesOf = (user: Pick<MeView, 'can' | 'is_alone'>): NavItem[] => [
  ...MAIN_PLACES,
  ...workspacePlaces(user),
]

/** Before it is known who is signed in. */
export const FIRST_PLACES = [
  ...MAIN_PLACES,
  ...LINK_PLACES,
  ...workspacePlaces({ can: ['links:read', 'domains:write'], is_alone: true }),
]
