import { ChevronsUpDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { InitialBadge } from '../components/badge.tsx'
import { withoutScheme } from '../format.ts'
import { strings } from '../strings.ts'
import { useSignedIn } from '../use-session.ts'

/** Opens the menu of the user. Disabled while that is loading. */
export function WhoButton(props: ComponentProps<'button'>) {
  const { user, instance } = useSignedIn()
  return (
    <button type="button" className="who" {...props}>
      <span className="only-spoken">{strings.nav.you}</span>
      <InitialBadge name={user.name} shape="round" />
      <span className="names">
        <strong className="cut">{user.name}</strong>
        <small className="cut">{withoutScheme(instance.base_url)}</small>
      </span>
      <ChevronsUpDown size={15} aria-hidden />
    </button>
  )
}
