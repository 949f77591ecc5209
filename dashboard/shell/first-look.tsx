import { words } from '../words.ts'
import { PLACES } from './places.ts'

// What stands there before the script knows anything: written into the page when it is built, and drawn again by the
// script until the session is known. No `style`: the page's policy refuses it in HTML.

/** For whom a look is: `signed-in` for who comes with a session cookie. */
export type LookName = 'signed-in' | 'signed-out'

/** `mark`: the path of the picture of the brand. `base`: what the paths of the pages begin with. */
type LookProps = { mark: string; base: string }

export const FirstLook = ({ name, ...props }: LookProps & { name: LookName }) =>
  name === 'signed-in' ? <ShellLook {...props} /> : <DoorLook mark={props.mark} />

const ShellLook = ({ mark, base }: LookProps) => (
  <div className="shell">
    <header className="top-bar">
      <Brand mark={mark} href={`${base}/`} />
    </header>
    <header className="side-bar">
      <Brand mark={mark} href={`${base}/`} />
      <nav className="side-nav" aria-label={words.nav.label}>
        <PlaceLinks base={base} />
      </nav>
    </header>
    <main className="content" aria-busy="true">
      <h1 className="only-spoken">{words.product}</h1>
      <PageLook />
    </main>
    <nav className="bottom-bar" aria-label={words.nav.label}>
      <PlaceLinks base={base} />
    </nav>
  </div>
)

const PlaceLinks = ({ base }: { base: string }) =>
  PLACES.map(({ path, label, icon: Icon }) => (
    <a key={path} href={base + path}>
      <Icon size={18} strokeWidth={1.9} aria-hidden />
      {label}
    </a>
  ))

const Brand = ({ mark, href }: { mark: string; href: string }) => (
  <a href={href} className="brand">
    <img src={mark} width={28} height={28} alt="" fetchPriority="low" />
    {words.product}
  </a>
)

const ROWS = [1, 2, 3, 4, 5]

/** A page that is on its way. */
export const PageLook = () => (
  <div className="page page-look" aria-hidden>
    <div className="page-head">
      <span className="skeleton look-title" />
    </div>
    <div className="card">
      {ROWS.map((row) => (
        <div key={row} className="look-row">
          <span className="skeleton look-letter" />
          <span className="skeleton look-line" />
        </div>
      ))}
    </div>
  </div>
)

const DoorLook = ({ mark }: { mark: string }) => (
  <div className="door">
    <header>
      <Brand mark={mark} href="/" />
    </header>
    <main className="door-main" aria-busy="true">
      <h1 className="only-spoken">{words.product}</h1>
      <div className="page-look door-look" aria-hidden>
        <span className="skeleton look-title" />
        <span className="skeleton look-field" />
        <span className="skeleton look-field" />
        <span className="skeleton look-field" />
      </div>
    </main>
    <footer className="door-foot" />
  </div>
)
