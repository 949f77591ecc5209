import { Menu, Plus } from 'lucide-react'
import { strings } from '../strings/strings.ts'
import { DOMAINS, FIRST_PLACES, MAIN_PLACES, type NavItem } from './places.ts'
import { SearchButton } from './search-button.tsx'

// The page before the session is known. The build writes it into the HTML, and the script renders it again. It has no
// `style`, which the Content Security Policy blocks in HTML.

/** `signed-in`: for requests with a session cookie. */
export type FirstPaintName = 'signed-in' | 'signed-out'

/** `mark`: the path of the logo. `base`: the prefix of page paths. */
type SkeletonProps = { mark: string; base: string }

export const FirstPaint = ({ name, ...props }: SkeletonProps & { name: FirstPaintName }) =>
  name === 'signed-in' ? <ShellSkeleton {...props} /> : <SignedOutSkeleton mark={props.mark} />

const ShellSkeleton = ({ mark, base }: SkeletonProps) => (
  <div className="shell">
    <header className="top-bar">
      <Brand mark={mark} href={`${base}/`} />
    </header>
    <header className="side-bar">
      <Brand mark={mark} href={`${base}/`} />
      <SearchButton />
      <nav className="side-nav" aria-label={strings.nav.label}>
        <PlaceLinks base={base} places={FIRST_PLACES} />
      </nav>
    </header>
    <main className="content" aria-busy="true">
      <h1 className="only-spoken">{strings.product}</h1>
      <PageSkeleton />
    </main>
    <FirstBottomBar base={base} />
  </div>
)

/** Until the menu behind More is loaded. */
export const FirstBottomBar = ({ base }: { base: string }) => (
  <nav className="bottom-bar" aria-label={strings.nav.label}>
    <PlaceLinks base={base} places={MAIN_PLACES} />
    <a href={`${base}/?do=new`} className="bottom-create" aria-label={strings.links.create}>
      <Plus size={22} aria-hidden />
    </a>
    <PlaceLinks base={base} places={[DOMAINS]} />
    <button type="button" className="bottom-more" disabled>
      <Menu size={18} strokeWidth={1.9} aria-hidden />
      {strings.nav.more}
    </button>
  </nav>
)

const PlaceLinks = ({ base, places }: { base: string; places: readonly NavItem[] }) =>
  places.map(({ path, label, icon: Icon }) => (
    <a key={path} href={base + path}>
      <Icon size={18} strokeWidth={1.9} aria-hidden />
      {label}
    </a>
  ))

const Brand = ({ mark, href }: { mark: string; href: string }) => (
  <a href={href} className="brand">
    <img src={mark} width={28} height={28} alt="" fetchPriority="low" />
    {strings.product}
  </a>
)

const ROWS = [1, 2, 3, 4, 5]

/** The skeleton of a page. */
export const PageSkeleton = () => (
  <div className="page page-skeleton" aria-hidden>
    <div className="page-head">
      <span className="skeleton skeleton-title" />
    </div>
    <div className="card">
      {ROWS.map((row) => (
        <div key={row} className="skeleton-row">
          <span className="skeleton skeleton-letter" />
          <span className="skeleton skeleton-line" />
        </div>
      ))}
    </div>
  </div>
)

const SignedOutSkeleton = ({ mark }: { mark: string }) => (
  <div className="signed-out">
    <header>
      <Brand mark={mark} href="/" />
    </header>
    <main className="signed-out-main" aria-busy="true">
      <h1 className="only-spoken">{strings.product}</h1>
      <div className="page-skeleton signed-out-skeleton" aria-hidden>
        <span className="skeleton skeleton-title" />
        <span className="skeleton skeleton-field" />
        <span className="skeleton skeleton-field" />
        <span className="skeleton skeleton-field" />
      </div>
    </main>
    <footer className="signed-out-foot" />
  </div>
)
