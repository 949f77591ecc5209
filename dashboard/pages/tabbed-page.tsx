import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Tabs } from '../parts/tabs.tsx'
import { useTitle } from './use-title.ts'

type PageTab = { id: string; label: string; content: ReactNode }
/** `root` is the address of the first tab; each other one has its id behind it. */
type TabbedPageProps = {
  title: string
  root: string
  open: string | undefined
  tabs: [PageTab, ...PageTab[]]
}

/** A page of several parts, one of them in sight; which one stands in the address. */
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
