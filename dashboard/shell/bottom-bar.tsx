import { Menu as MenuIcon, Plus } from 'lucide-react'
import { Link } from 'wouter'
import { Menu } from '../components/pickers/menu.tsx'
import { strings } from '../strings.ts'
import { useSignedIn } from '../use-session.ts'
import { PlaceLinks } from './shell.tsx'
import { ACCOUNT, ADMIN, LINK_PLACES, MAIN_PLACES, workspacePlaces } from './places.ts'

/** On a phone. What has no place in it is behind More. */
export default function BottomBar() {
  const { user } = useSignedIn()
  const places = workspacePlaces(user)
  const inBar = places.filter(({ path }) => path === '/domains')
  const behindMore = places.filter((place) => !inBar.includes(place))
  const others = [...LINK_PLACES, ...behindMore, ACCOUNT, ...(user.role === 'admin' ? [ADMIN] : [])]
  return (
    <nav className="bottom-bar" aria-label={strings.nav.label}>
      <PlaceLinks places={MAIN_PLACES} />
      {user.can.includes('links:create') && (
        <Link href="/?do=new" className="bottom-create" aria-label={strings.links.create}>
          <Plus size={22} aria-hidden />
        </Link>
      )}
      <PlaceLinks places={inBar} />
      <Menu
        label={strings.nav.more}
        items={others.map(({ path, label, icon }) => ({ label, icon, to: path }))}
        trigger={
          <button type="button" className="bottom-more">
            <MenuIcon size={18} strokeWidth={1.9} aria-hidden />
            {strings.nav.more}
          </button>
        }
      />
    </nav>
  )
}
