import { ChartColumn, KeyRound, Link2, type LucideIcon, ShieldCheck, UserRound } from 'lucide-react'
import { words } from '../words.ts'

export type Place = { path: string; label: string; icon: LucideIcon }

/** The pages that everybody has, in the order of the side bar. */
export const PLACES: Place[] = [
  { path: '/', label: words.nav.links, icon: Link2 },
  { path: '/overview', label: words.nav.overview, icon: ChartColumn },
  { path: '/keys', label: words.nav.keys, icon: KeyRound },
  { path: '/account', label: words.nav.account, icon: UserRound },
]
export const ADMIN: Place = { path: '/admin', label: words.nav.admin, icon: ShieldCheck }
