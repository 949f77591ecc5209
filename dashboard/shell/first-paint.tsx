import { Link2, Menu, Plus, Search } from 'lucide-react'
import type { RefCallback } from 'react'
import { Logo } from '../components/logo.tsx'
import { strings } from '../strings.ts'
import { DOMAINS, FIRST_PLACES, MAIN_PLACES, type NavItem } from './places.ts'

// The page before the session is known. The build writes it into the HTML, and the script renders it again. It has no
// `style`, which the Content Security Policy blocks in HTML.

/** `list` and `signed-in`: for requests with a session cookie, of the list of links and of other pages. */
export type FirstPaintName = 'list' | 'signed-in' | 'signed-out'

/** `base`: the prefix of page paths. */
type SkeletonProps = { base: string; keepRows?: KeepRows }
/** In a browser: puts the first rows into their place. */
type KeepRows = RefCallback<HTMLDivElement>

export const FirstPaint = ({ name, ...props }: SkeletonProps & { name: FirstPaintName }) =>
  name === 'signed-out' ? <SignedOutSkeleton /> : <ShellSkeleton {...props} name={name} />

const ShellSkeleton = ({ base, keepRows, name }: SkeletonProps & { name: FirstPaintName }) => (
  <div className="shell">
    <header className="top-bar">
      <Brand href={`${base}/`} />
    </header>
    <header className="side-bar">
      <Brand href={`${base}/`} />
      <SearchButton />
      <nav className="side-nav" aria-label={strings.nav.label}>
        <PlaceLinks base={base} places={FIRST_PLACES} />
      </nav>
    </header>
    <main className="content" aria-busy="true">
      {name === 'list' ? (
        <ListSkeleton keepRows={keepRows} />
      ) : (
        <>
          <h1 className="only-spoken">{strings.product}</h1>
          <PageSkeleton />
        </>
      )}
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

const Brand = ({ href }: { href: string }) => (
  <a href={href} className="brand">
    <Logo />
    {strings.product}
  </a>
)

const ROWS = [1, 2, 3, 4, 5]
const FIRST_VIEWS = [strings.links.allLinks, strings.links.expiringSoon]

/** The skeleton of a page. */
export const PageSkeleton = () => (
  <div className="page page-skeleton" aria-hidden>
    <div className="page-head">
      <span className="skeleton skeleton-title" />
    </div>
    <div className="card">
      <RowSkeletons />
    </div>
  </div>
)

const RowSkeletons = () =>
  ROWS.map((row) => (
    <div key={row} className="skeleton-row">
      <span className="skeleton skeleton-letter" />
      <span className="skeleton skeleton-line" />
    </div>
  ))

/** Until the views of the list are loaded. */
export const FirstViews = () => (
  <div className="view-line">
    <div className="tabs">
      {FIRST_VIEWS.map((view, at) => (
        <span key={view} className="tab" data-state={at === 0 ? 'active' : undefined}>
          {view}
        </span>
      ))}
    </div>
  </div>
)

/** What is known of the list before the session. */
const ListSkeleton = ({ keepRows }: { keepRows: KeepRows | undefined }) => (
  <div className="page page-skeleton">
    <div className="page-head">
      <h1>{strings.links.title}</h1>
    </div>
    <div className="card create">
      <div className="create-line">
        <span className="input-with">
          <Link2 size={18} aria-hidden />
          <input
            className="input"
            disabled
            placeholder={strings.links.paste}
            aria-label={strings.links.paste}
          />
        </span>
      </div>
    </div>
    <section className="stack">
      <div className="list-head">
        <div className="view-place">
          <FirstViews />
        </div>
        <div className="list-tools">
          <span className="input-with">
            <Search size={16} aria-hidden />
            <input
              className="input"
              disabled
              placeholder={strings.links.search}
              aria-label={strings.links.search}
            />
          </span>
        </div>
      </div>
      <div className="card first-rows" inert ref={keepRows}>
        <RowSkeletons />
      </div>
    </section>
  </div>
)

const SignedOutSkeleton = () => (
  <div className="signed-out">
    <header>
      <Brand href="/dashboard/.." />
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

type SearchButtonProps = { keys?: string; onClick?: (() => void) | undefined }

/** Opens the command palette. Disabled until it can. */
export const SearchButton = ({ keys, onClick }: SearchButtonProps) => (
  <button
    type="button"
    className="search-button"
    aria-haspopup="dialog"
    aria-keyshortcuts="Control+K Meta+K"
    disabled={onClick === undefined}
    onClick={onClick}
  >
    <Search size={16} aria-hidden />
    <span>{strings.nav.search}</span>
    {keys && <kbd aria-hidden>{keys}</kbd>}
  </button>
)
