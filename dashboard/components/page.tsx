import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Tabs } from './tabs.tsx'
import { useTitle } from '../use-title.ts'
import '../styles/facts.css'

type PageProps = {
  title: string
  /** In the window: the title of the page if there is no other. */
  windowTitle?: string
  /** Below the title. */
  lead?: ReactNode
  /** Beside the title. */
  action?: ReactNode
  children: ReactNode
}

export function Page({ title, windowTitle = title, lead, action, children }: PageProps) {
  useTitle(windowTitle)
  return (
    <div className="page">
      <div className="page-head">
        {lead === undefined ? (
          <h1>{title}</h1>
        ) : (
          <div>
            <h1>{title}</h1>
            <p className="soft">{lead}</p>
          </div>
        )}
        {action}
      </div>
      {children}
    </div>
  )
}

type PageTab = { id: string; label: string; content: ReactNode }
/** `root`: the path of the first tab. The others append their ID. */
type TabbedPageProps = {
  title: string
  root: string
  open: string | undefined
  tabs: [PageTab, ...PageTab[]]
}

/** The URL says which tab is open. */
export function TabbedPage({ title, root, open, tabs }: TabbedPageProps) {
  const [first] = tabs
  const current = tabs.find(({ id }) => id === open) ?? first
  const [, navigate] = useLocation()
  return (
    <Page title={title} windowTitle={`${current.label} · ${title}`}>
      <Tabs
        label={title}
        open={current.id}
        onOpen={(id) => navigate(id === first.id ? root : `${root}/${id}`, { replace: true })}
        tabs={tabs}
      />
    </Page>
  )
}
