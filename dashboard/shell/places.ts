import { ChartColumn, KeyRound, Link2, type LucideIcon, ShieldCheck, UserRound } from 'lucide-react'
import { strings } from '../strings/strings.ts'

export type NavItem = { path: string; label: string; icon: LucideIcon }

/** In the order of the side bar. */
export const NAV_ITEMS: NavItem[] = [
  { path: '/', label: strings.nav.links, icon: Link2 },
  { path: '/overview', label: strings.nav.overview, icon: ChartColumn },
  { path: '/keys', label: strings.nav.keys, icon: KeyRound },
  { path: '/account', label: strings.nav.account, icon: UserRound },
]
export const ADMIN: NavItem = { path: '/admin', label: strings.nav.admin, icon: ShieldCheck }
