import type { ReactNode } from 'react'
import type { AnalyticsQuery, AnalyticsView } from '../../src/http/endpoints/browser-types.ts'
import { Bots, Countries, Sources, Technology, Variants, Ways } from './panels.tsx'
import { Campaigns } from './top-panel.tsx'

type PanelColumnsProps = {
  /** Undefined while loading. */
  analytics: AnalyticsView | undefined
  isOneLink: boolean
  query: AnalyticsQuery
  fileName: string
  /** First of the panels, for several links. */
  top: ReactNode
  /** The panels are drawn one after the other. */
  step: number
}

/** Two columns of about the same length. */
export function PanelColumns({ analytics, isOneLink, query, fileName, top, step }: PanelColumnsProps) {
  const panel = { fileName, analytics: step >= 2 ? analytics : undefined }
  const places = (
    <Countries analytics={step >= 1 ? analytics : undefined} hasMap={step >= 3} fileName={fileName} />
  )
  const campaigns = step >= 2 && <Campaigns query={query} fileName={fileName} isOneLink={isOneLink} />
  const bots = analytics && analytics.bot_clicks > 0 && step >= 2 && (
    <Bots query={query} fileName={fileName} />
  )
  return isOneLink ? (
    <div className="two-columns">
      <div className="stack">
        {places}
        <Ways {...panel} />
        {campaigns}
      </div>
      <div className="stack">
        <Variants {...panel} />
        <Sources {...panel} />
        <Technology {...panel} />
        {bots}
      </div>
    </div>
  ) : (
    <div className="two-columns">
      <div className="stack">
        {top}
        <Sources {...panel} />
        {campaigns}
        {bots}
      </div>
      <div className="stack">
        {places}
        <Technology {...panel} />
        <Ways {...panel} />
      </div>
    </div>
  )
}
