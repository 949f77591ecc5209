import { type ReactNode, useEffect, useRef } from 'react'
import { Logo } from '../components/logo.tsx'
import { strings } from '../strings.ts'

export const SignedOutFrame = ({ children, foot }: { children: ReactNode; foot?: ReactNode }) => (
  <div className="signed-out">
    <header>
      <a href="/dashboard/.." className="brand">
        <Logo />
        {strings.product}
      </a>
    </header>
    <main className="signed-out-main">{children}</main>
    <footer className="signed-out-foot">{foot}</footer>
  </div>
)

export const SignedOutHeading = ({ title, lead }: { title: string; lead?: ReactNode }) => (
  <div>
    <h1>{title}</h1>
    {lead && <p className="lead">{lead}</p>}
  </div>
)

/** Takes the focus, because the button that had it is gone. */
export function SignedOutNotice({ title, lead }: { title: string; lead: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.focus(), [])
  return (
    <div className="signed-out-news" tabIndex={-1} ref={element}>
      <SignedOutHeading title={title} lead={lead} />
    </div>
  )
}
