import { Link, useLocation } from 'wouter'
import type { NavItem } from './places.ts'

const isShown = (path: string, current: string) =>
  path === '/' ? current === '/' || current.startsWith('/links/') : current.startsWith(path)

export function PlaceLinks({ places }: { places: readonly NavItem[] }) {
  const [current] = useLocation()
  return places.map(({ path, label, icon: Icon }) => (
    <Link key={path} href={path} aria-current={isShown(path, current) ? 'page' : undefined}>
      <Icon size={18} strokeWidth={1.9} aria-hidden />
      {label}
    </Link>
  ))
}
