import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Tabs } from './tabs.tsx'
import { useTitle } from '../use-title.ts'
import '../styles/facts.css'

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
  const shown = tabs.find(({ id }) => id === open) ?? first
  useTitle(`${shown.label} · ${title}`)
  const [, navigate] = useLocation()
  return (
    <div className="page">
      <div className="page-head">
        <h1>{title}</h1>
      </div>
      <Tabs
        label={title}
        open={shown.id}
        onOpen={(id) => navigate(id === first.id ? root : `${root}/${id}`, { replace: true })}
        tabs={tabs}
      />
    </div>
  )
}
