import { type ReactNode, useEffect, useRef } from 'react'
import mark from '../../src/http/pages/favicon.svg'
import { words } from '../words.ts'

/** One column, one job: the pages before one is signed in. */
export const DoorFrame = ({ children, foot }: { children: ReactNode; foot?: ReactNode }) => (
  <div className="door">
    <header>
      <a href="/" className="brand">
        <img src={mark} width={28} height={28} alt="" />
        {words.product}
      </a>
    </header>
    <main className="door-main">{children}</main>
    <footer className="door-foot">{foot}</footer>
  </div>
)

export const DoorHead = ({ title, lead }: { title: string; lead?: ReactNode }) => (
  <div>
    <h1>{title}</h1>
    {lead && <p className="lead">{lead}</p>}
  </div>
)

/** What has just happened: a reader begins there, because the button that had the focus is gone. */
export function DoorNews({ title, lead }: { title: string; lead: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.focus(), [])
  return (
    <div className="door-news" tabIndex={-1} ref={element}>
      <DoorHead title={title} lead={lead} />
    </div>
  )
}
