import { Card } from '../components/card.tsx'
import { Failed } from '../components/states.tsx'
import { analyticsStrings } from './analytics-strings.ts'
import type { ComponentProps } from 'react'

type PanelFailureProps = { title: string } & Pick<ComponentProps<typeof Failed>, 'query'>

/** Replaces one panel. The range selector stays, because another range may work. */
export const PanelFailure = ({ title, query }: PanelFailureProps) => (
  <Card title={title}>
    <Failed heading="h3" query={query} what={analyticsStrings.what} />
  </Card>
)
